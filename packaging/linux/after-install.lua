-- Makes `sheaf` a command. npm's package has the same one: where it is there, it stays. after-install.sh does the same in the deb.
-- Lua is in rpm itself: a root without a shell can be installed into.
local own = "../../opt/${sanitizedProductName}/cli/bin/sheaf"
if not posix.stat("/usr/bin/sheaf") then
  posix.symlink(own, "/usr/bin/sheaf")
end
for _, other in ipairs({"/usr/local/bin/sheaf", "/usr/bin/sheaf"}) do
  if posix.stat(other) and posix.readlink(other) ~= own then
    print(other .. " was there already and stays as it is. This package's command is /opt/${sanitizedProductName}/cli/bin/sheaf.")
  end
end
