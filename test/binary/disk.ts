/** A shell that sets a resource limit and then replaces itself with the server. */
export const withLimit = (limit: string) => [
  ...['sh', '-c', `trap "" XFSZ; ulimit ${limit}; exec "$@"`, 'sh'],
]

/**
 * Simulates a full disk: no file of the server may grow beyond 1.5 MB, which fails a write as a full
 * disk does. `ulimit` counts blocks of 512 bytes.
 */
export const SMALL_DISK = withLimit('-S -f 3000')

/** Changes the size limit of files while the server runs: a number of bytes or `unlimited`. */
export function setFileSizeLimit({ pid }: { pid: number }, bytes: string): void {
  const limit = ['prlimit', '--pid', String(pid), `--fsize=${bytes}:unlimited`]
  const { exitCode, stderr } = Bun.spawnSync(limit)
  if (exitCode !== 0) throw new Error(`prlimit failed: ${stderr}`)
}
