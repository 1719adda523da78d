; Offers Sheaf under "Open with" for the tables that it reads, for the user who installs it. It is made the default for none:
; the default value of an extension's key is never written. Uninstalling removes all of this, and the key of the app's links.
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

; The app makes itself the program for links of the scheme at its start. The key is removed where it still starts this app: another
; copy may have taken it since. An update runs the uninstaller of the version before, and the new one needs the key.
!macro noLongerOpenLinks SCHEME
  ReadRegStr $0 HKCU "Software\Classes\${SCHEME}\shell\open\command" ""
  ${ifNot} ${isUpdated}
  ${andIf} $0 == '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
    DeleteRegKey HKCU "Software\Classes\${SCHEME}"
  ${endIf}
!macroend

!macro customUnInstall
  !insertmacro noLongerOpenLinks "sheaf"
  !insertmacro noLongerOfferFor "jsonl"
  !insertmacro noLongerOfferFor "csv"
  !insertmacro noLongerOfferFor "tsv"
  !insertmacro noLongerOfferFor "xlsx"
  !insertmacro noLongerOfferFor "json"
  !insertmacro noLongerOfferFor "parquet"
  DeleteRegKey HKCU "Software\Classes\${SHEAF_CLASS}"
!macroend
