import { homedir } from 'node:os'
import { join } from 'node:path'
import { escapeUTF8 } from 'entities'
import type { Plan } from './systemd.ts'

const LABEL = 'corkboard.server'

/** A launch agent of the signed-in account. Its settings are in its file. */
export function launchAgent(executable: string, data: string | undefined): Plan {
  const folder = join(homedir(), 'Library')
  const path = join(folder, 'LaunchAgents', `${LABEL}.plist`)
  const log = join(folder, 'Logs/corkboard.log')
  const place = data ?? join(folder, 'Application Support/Corkboard')
  const domain = `gui/${process.getuid!()}`
  return {
    files: [{ path, text: plist([executable, 'serve', '--data', place], log) }],
    start: [['launchctl', 'bootstrap', domain, path]],
    stop: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
    logs: `tail -f ${log}`,
  }
}

const string = (text: string) => `<string>${escapeUTF8(text)}</string>`

const plist = (command: readonly string[], log: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${string(LABEL)}
  <key>ProgramArguments</key>
  <array>${command.map(string).join('')}</array>
  <key>EnvironmentVariables</key>
  <dict><key>CORK_PORT</key><string>3210</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ThrottleInterval</key><integer>5</integer>
  <key>SoftResourceLimits</key>
  <dict><key>NumberOfFiles</key><integer>65536</integer></dict>
  <key>StandardErrorPath</key>${string(log)}
  <key>StandardOutPath</key>${string(log)}
</dict>
</plist>
`
