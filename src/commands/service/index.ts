import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Command, WrongUsage } from '../command.ts'
import { launchAgent } from './launchd.ts'
import { type Plan, systemdService } from './systemd.ts'

const ACTIONS = ['install', 'uninstall', 'print'] as const
type Action = (typeof ACTIONS)[number]

export const service: Command = {
  summary: 'Run the server as a service of this machine: systemd or launchd',
  about:
    'As root on Linux: a service with an account of its own, settings in /etc/corkboard.env and data in /var/lib/corkboard. Otherwise a service of your account. "uninstall" keeps settings and data; "print" only shows the files and commands.',
  example: 'cork service install',
  args: [{ name: 'action', about: `One of ${ACTIONS.join(', ')}`, required: true }],
  flags: {
    data: { type: 'string', hint: 'DIR', about: 'Data folder of the service' },
  },
  async run({ action, data, json }) {
    if (!ACTIONS.includes(action as Action))
      throw new WrongUsage(`The action must be one of ${ACTIONS.join(', ')}, not "${action}"`)
    const plan = planFor(data && resolve(data))
    const text = json === undefined ? formatPlan(plan) : JSON.stringify(plan)
    if (action === 'print') console.log(text)
    else if (action === 'install') install(plan)
    else runAll(plan.stop)
    if (action !== 'print')
      console.log(json === undefined ? doneText(plan, action as Action) : text)
    return 0
  },
}

function planFor(data: string | undefined): Plan {
  const executable = process.execPath
  if (process.platform === 'darwin') return launchAgent(executable, data)
  if (process.platform !== 'linux')
    throw new WrongUsage('Services are installed on Linux and macOS. Use a task of your system.')
  return systemdService(executable, data, process.getuid!() === 0)
}

/** Settings that are there already stay as they are. */
function install(plan: Plan): void {
  for (const { path, text, mode = 0o644, isSettings } of plan.files) {
    if (isSettings && existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
  }
  runAll(plan.start)
}

function runAll(commands: readonly string[][]): void {
  for (const command of commands) {
    const { exitCode, stderr } = Bun.spawnSync(command)
    if (exitCode !== 0)
      throw new WrongUsage(`"${command.join(' ')}" failed: ${stderr.toString().trim()}`)
  }
}

const doneText = ({ files, logs }: Plan, action: Action) =>
  action === 'install'
    ? `The service is installed and runs: ${files.map(({ path }) => path).join(', ')}\nIts log, with the set-up link: ${logs}`
    : `The service is stopped. Settings and data are still there: ${files.map(({ path }) => path).join(', ')}`

const formatPlan = ({ files, start }: Plan) =>
  [
    ...files.map(({ path, text }) => `# ${path}\n${text}`),
    ...start.map((command) => `# ${command.join(' ')}`),
  ].join('\n')
