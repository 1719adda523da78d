#!/bin/sh
# Takes away what after-install.sh installed. What a user has made with Sheaf is in the home folder, and stays.
set -e
case "$1" in remove | purge) ;; *) exit 0 ;; esac
installed="$DPKG_ROOT/etc/apparmor.d/${executable}"

if [ -f "$installed" ]; then
  [ -n "$DPKG_ROOT" ] || apparmor_parser --remove "$installed" >/dev/null 2>&1 || true
  rm -f "$installed"
fi

command="$DPKG_ROOT/usr/bin/sheaf"
if [ "$(readlink "$command")" = "../../opt/${sanitizedProductName}/cli/bin/sheaf" ]; then
  rm -f "$command"
fi
