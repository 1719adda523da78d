#!/bin/sh
# electron-builder calls this in place of mksquashfs, with the folder of an AppImage first: it gets our AppRun.
set -e
install -m 755 "$SHEAF_APP_RUN" "$1/AppRun"
exec mksquashfs "$@"
