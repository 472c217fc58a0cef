/** The processes of a drill: each has its own folder, and all of them end with this process. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import { join } from 'node:path'

const isRoot = process.getuid?.() === 0
/** PostgreSQL refuses to run as root. */
const SERVER_USER = 'postgres'

/**
 * Waits for the end of its input, which also comes if this process is killed. Then it kills every
 * process that works in the folder, in rounds because a process may be starting another one.
 */
const GUARD = `trap '' INT TERM HUP
read -r _
for round in 1 2 3; do
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/cwd" 2>/dev/null)" in
      "$0"/*) kill -KILL "\${process#/proc/}" 2>/dev/null ;;
    esac
  done
  sleep 0.2
done
rm -rf "$0"`

export class Processes {
  readonly folder = mkdtempSync(join('/tmp', 'cork-failover-'))
  private readonly guard = Bun.spawn(['sh', '-c', GUARD, this.folder], {
    ...{ cwd: '/', stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' },
  })

  constructor() {
    chmodSync(this.folder, 0o755)
  }

  /** The folder of a process, which belongs to the account that it runs as. */
  folderOf(name: string): string {
    const folder = join(this.folder, name)
    if (!existsSync(folder)) {
      mkdirSync(folder, { mode: 0o755 })
      if (isRoot) Bun.spawnSync(['chown', SERVER_USER, folder])
    }
    return folder
  }

  /** Starts a program as the server user. Its output goes to a file beside its folder. */
  start(name: string, command: string[]): void {
    const log = openSync(join(this.folder, `${name}.log`), 'a')
    const user = ['setpriv', `--reuid=${SERVER_USER}`, `--regid=${SERVER_USER}`, '--init-groups']
    Bun.spawn([...(isRoot ? user : []), ...command], {
      ...{ cwd: this.folderOf(name), stdin: 'ignore', stdout: log, stderr: log },
      env: { PATH: process.env.PATH ?? '', HOME: this.folderOf(name), LANG: 'C.UTF-8' },
    })
  }

  /** A command that starts another program in a folder of its own. */
  launcher = (name: string): string[] => ['env', '-C', this.folderOf(name)]

  isRunning = (name: string): boolean => this.pidsOf(name).length > 0

  /** Sends the signal to the process and to all processes that it started. */
  async signal(name: string, signal: NodeJS.Signals): Promise<void> {
    const signalled = new Set<number>()
    for (;;) {
      const pids = this.pidsOf(name).filter((pid) => !signalled.has(pid))
      for (const pid of pids) {
        signalled.add(pid)
        sendSignal(pid, signal)
      }
      if (signal === 'SIGKILL' ? !this.isRunning(name) : !pids.length) return
      await Bun.sleep(5)
    }
  }

  logOf(name: string): string {
    const path = join(this.folder, `${name}.log`)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  async stop(): Promise<void> {
    this.guard.stdin.end()
    await this.guard.exited
  }

  private pidsOf(name: string): number[] {
    const folder = join(this.folder, name)
    return readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .filter((pid) => `${workingFolder(pid)}/`.startsWith(`${folder}/`))
      .map(Number)
  }
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

/** Free ports outside the range from which the system takes the ports of outgoing connections. */
export function freePorts(count: number): number[] {
  const ports: number[] = []
  for (let port = 20_000 + Math.floor(Math.random() * 8000); ports.length < count; port++)
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop()
      ports.push(port)
    } catch {
      // Another program uses it.
    }
  return ports
}
