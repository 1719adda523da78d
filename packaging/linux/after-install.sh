#!/bin/sh
# Lets Chromium's sandbox make user namespaces where AppArmor restricts them: Ubuntu 23.10 and newer. Then makes `sheaf` a
# command. Menus, icons and types of files need nothing here, because the system's own triggers see them. electron-builder
# fills in the names.
set -e
[ "$1" = configure ] || exit 0
profile="$DPKG_ROOT/opt/${sanitizedProductName}/resources/apparmor-profile"
installed="$DPKG_ROOT/etc/apparmor.d/${executable}"

# An older parser does not know the rule, and its system does not restrict what the rule allows.
if [ -d "$DPKG_ROOT/etc/apparmor.d" ] && apparmor_parser --skip-kernel-load "$profile" >/dev/null 2>&1; then
  cp "$profile" "$installed"
  # Nothing is loaded into the kernel for another root.
  [ -n "$DPKG_ROOT" ] || apparmor_parser --replace --write-cache "$installed" >/dev/null 2>&1 || true
fi

# npm's package has the same command: where one is there, it stays. after-install.lua does the same in the rpm.
command="$DPKG_ROOT/usr/bin/sheaf"
own="../../opt/${sanitizedProductName}/cli/bin/sheaf"
if [ ! -e "$command" ] && [ ! -L "$command" ]; then
  ln -s "$own" "$command"
fi
for other in /usr/local/bin/sheaf /usr/bin/sheaf; do
  [ -e "$DPKG_ROOT$other" ] || [ -L "$DPKG_ROOT$other" ] || continue
  [ "$(readlink "$DPKG_ROOT$other")" = "$own" ] ||
    echo "$other was there already and stays as it is. This package's command is /opt/${sanitizedProductName}/cli/bin/sheaf."
done
