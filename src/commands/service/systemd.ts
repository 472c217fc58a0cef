import { homedir } from 'node:os'
import { join } from 'node:path'
import settings from '../../../packaging/linux/corkboard.env' with { type: 'text' }
import unit from '../../../packaging/linux/corkboard.service' with { type: 'text' }

export interface PlannedFile {
  path: string
  text: string
  mode?: number
  isSettings?: true
}

/** What an installation does: the files to write, then the commands to run. */
export interface Plan {
  files: PlannedFile[]
  start: string[][]
  stop: string[][]
  /** The command that shows the log. */
  logs: string
}

const ACCOUNT = 'corkboard'
const DATA = '/var/lib/corkboard'

export const systemdService = (
  executable: string,
  data: string | undefined,
  isRoot: boolean,
): Plan => (isRoot ? systemService(executable, data ?? DATA) : userService(executable, data))

/** A service of the machine. Its account is created unless it is there. */
function systemService(executable: string, data: string): Plan {
  const text = withCommand(unit, executable, data)
  const hasAccount = Bun.spawnSync(['getent', 'passwd', ACCOUNT]).exitCode === 0
  const create = ['useradd', '--system', '--home-dir', data, '--shell', '/usr/sbin/nologin']
  return {
    files: [
      { path: '/etc/systemd/system/corkboard.service', text },
      { path: '/etc/corkboard.env', text: settings, mode: 0o600, isSettings: true },
    ],
    start: [
      ...(hasAccount ? [] : [[...create, ACCOUNT]]),
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', '--now', 'corkboard.service'],
    ],
    stop: [['systemctl', 'disable', '--now', 'corkboard.service']],
    logs: 'journalctl --unit corkboard',
  }
}

/** A service of one account has no account of its own, and no limits that need root. */
function userService(executable: string, data: string | undefined): Plan {
  const folder = join(homedir(), '.config')
  const env = join(folder, 'corkboard', 'corkboard.env')
  const place = data ?? join(homedir(), '.local/share/corkboard')
  const [service = ''] = unit.split('\nNoNewPrivileges')
  const text = withCommand(service, executable, place)
    .replace(/^(User|StateDirectory\w*)=.*\n/gm, '')
    .replace('/etc/corkboard.env', env)
  return {
    files: [
      {
        path: join(folder, 'systemd/user/corkboard.service'),
        text: `${text}\n[Install]\nWantedBy=default.target\n`,
      },
      { path: env, text: settings, mode: 0o600, isSettings: true },
    ],
    start: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', 'corkboard.service'],
    ],
    stop: [['systemctl', '--user', 'disable', '--now', 'corkboard.service']],
    logs: 'journalctl --user --unit corkboard',
  }
}

function withCommand(text: string, executable: string, data: string): string {
  const command = `ExecStart="${executable}" serve --data "${data}"`
  const replaced = text.replace(/^ExecStart=.*$/m, command)
  if (data === DATA) return replaced
  // A folder elsewhere is no state directory, and the service may write only where this says.
  return replaced.replace(/^StateDirectory=.*\nStateDirectoryMode=.*$/m, `ReadWritePaths="${data}"`)
}
