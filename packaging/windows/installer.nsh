; Offers Sheaf under "Open with" for the tables that it reads, for the user who installs it. It is made the default for none:
; the default value of an extension's key is never written.
!define SHEAF_CLASS "Sheaf.Table"

!macro offerFor EXTENSION
  WriteRegNone HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "${SHEAF_CLASS}"
!macroend

!macro noLongerOfferFor EXTENSION
  DeleteRegValue HKCU "Software\Classes\.${EXTENSION}\OpenWithProgids" "${SHEAF_CLASS}"
!macroend

!macro customInstall
  WriteRegStr HKCU "Software\Classes\${SHEAF_CLASS}" "" "Table"
  WriteRegStr HKCU "Software\Classes\${SHEAF_CLASS}\Application" "ApplicationName" "${PRODUCT_NAME}"
  WriteRegStr HKCU "Software\Classes\${SHEAF_CLASS}\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  !insertmacro offerFor "jsonl"
  !insertmacro offerFor "csv"
  !insertmacro offerFor "tsv"
  !insertmacro offerFor "xlsx"
  !insertmacro offerFor "json"
  !insertmacro offerFor "parquet"
!macroend

!macro customUnInstall
  !insertmacro noLongerOfferFor "jsonl"
  !insertmacro noLongerOfferFor "csv"
  !insertmacro noLongerOfferFor "tsv"
  !insertmacro noLongerOfferFor "xlsx"
  !insertmacro noLongerOfferFor "json"
  !insertmacro noLongerOfferFor "parquet"
  DeleteRegKey HKCU "Software\Classes\${SHEAF_CLASS}"
!macroend
