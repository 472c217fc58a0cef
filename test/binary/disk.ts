/** A shell that takes a limit upon itself, and then becomes the server. */
export const limited = (limit: string) => [
  ...['sh', '-c', `trap "" XFSZ; ulimit ${limit}; exec "$@"`, 'sh'],
]

/**
 * What a server runs under so that its disk is full: no file of it grows beyond 1.5 MB, which fails a
 * write as a full disk does. `ulimit` counts blocks of 512 bytes.
 */
export const SMALL_DISK = limited('-S -f 3000')

/** Makes room while the server runs, or takes it away: `unlimited`, or how long a file may get. */
export function giveRoom({ pid }: { pid: number }, bytes: string): void {
  const limit = ['prlimit', '--pid', String(pid), `--fsize=${bytes}:unlimited`]
  const { exitCode, stderr } = Bun.spawnSync(limit)
  if (exitCode !== 0) throw new Error(`prlimit failed: ${stderr}`)
}
