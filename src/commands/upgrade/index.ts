import { accessSync, constants, copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { version as current } from '../../../package.json'
import { findServer, pathsIn } from '../../config/data-folder.ts'
import { type Config, readConfig } from '../../config/index.ts'
import { UnusableError } from '../../store/unusable.ts'
import { type Command, DATA } from '../command.ts'
import { downloadExecutable, findRelease, type NewVersion } from './release.ts'
import { tryServer } from './trial.ts'

export const upgrade: Command = {
  summary: 'Replace this executable with a newer version, and migrate the data',
  about:
    'Verifies signature and checksum, backs up, and starts the new version once. If that fails, the old executable and the data of before are put back. Stop the server first, and start it afterwards.',
  example: 'cork upgrade --from https://example.com/releases/latest --key corkboard.pub',
  flags: {
    from: { type: 'string', hint: 'URL', required: true, about: 'Folder with the new release' },
    key: { type: 'string', hint: 'FILE', required: true, about: "The publisher's SHA256SUMS.pub" },
    check: { type: 'boolean', about: 'Only say whether there is another version' },
    data: DATA,
  },
  async run({ from, key, check, data, json }) {
    const config = readConfig(process.env, { data })
    const found = await findRelease(from!, key!)
    const isNew = found.version !== current
    if (isNew && check === undefined) await replace(found, config)
    const result = { current, version: found.version, upgraded: isNew && check === undefined }
    console.log(json === undefined ? describe(result) : JSON.stringify(result))
    return 0
  },
}

interface Result {
  current: string
  version: string
  upgraded: boolean
}

function describe({ current: before, version, upgraded }: Result): string {
  if (upgraded) return `cork ${version} is installed in place of ${before}. Start the server again.`
  return version === before ? `cork ${before} is that version` : `cork ${version} is available`
}

async function replace(found: NewVersion, config: Config): Promise<void> {
  const executable = process.execPath
  refuseUnless(executable, config)
  const next = `${executable}.new`
  await downloadExecutable(found, next)
  const previous = `${executable}.previous`
  copyFileSync(executable, previous)
  const backup = hasData(config) ? backUp(config, previous, found.version) : undefined
  // A rename replaces a file of a running program, which Windows allows only after moving that.
  if (process.platform === 'win32') renameSync(executable, `${executable}.running`)
  renameSync(next, executable)
  if (!backup) return
  await tryServer(executable, config.data).catch((error) => {
    rollBack({ executable, previous, backup, data: config.data })
    throw new UnusableError(
      `cork ${found.version} failed, so ${current} and the data of before are back: ${error.message}`,
    )
  })
}

/** Refuses what could not be undone, before anything is changed. */
function refuseUnless(executable: string, { data, databaseUrl }: Config): void {
  if (!Bun.isStandaloneExecutable)
    throw new UnusableError('This runs from source. Pull the new sources instead.')
  if (databaseUrl)
    throw new UnusableError(
      'With PostgreSQL other servers may be in use, so the data could not be rolled back. Upgrade the servers one by one as in the manual: "Upgrade several servers".',
    )
  const owner = Bun.which('dpkg') && Bun.spawnSync(['dpkg', '-S', executable])
  if (owner && owner.exitCode === 0)
    throw new UnusableError(`${executable} belongs to a package. Upgrade it with apt.`)
  try {
    accessSync(dirname(executable), constants.W_OK)
  } catch {
    throw new UnusableError(`You may not write to ${dirname(executable)}. Run it as its owner.`)
  }
  const server = existsSync(data) && findServer(data)
  if (server)
    throw new UnusableError(
      `A server runs on ${data}. Stop it first: what people do meanwhile could not be rolled back.`,
    )
}

const hasData = ({ data }: Config) => existsSync(pathsIn(data).database)

function backUp({ data }: Config, program: string, version: string): string {
  const { backups } = pathsIn(data)
  mkdirSync(backups, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const file = join(backups, `before-${version}-${time}.backup`)
  run([program, 'backup', file, '--data', data], 'The backup failed, so nothing was changed')
  return file
}

interface RollBack {
  executable: string
  previous: string
  backup: string
  data: string
}

function rollBack({ executable, previous, backup, data }: RollBack): void {
  copyFileSync(previous, `${executable}.back`)
  renameSync(`${executable}.back`, executable)
  run(
    [executable, 'restore', backup, '--data', data, '--force'],
    `The data could not be restored. Run: ${executable} restore ${backup} --force`,
  )
}

function run(command: string[], problem: string): void {
  const { exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new UnusableError(`${problem}: ${stderr.toString().trim()}`)
}
