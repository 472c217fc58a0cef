import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Throws if `src` differs from the commit that the published results of the bench measured. */
export function checkResults(root: string): void {
  const results = readFileSync(join(root, 'bench/RESULTS.md'), 'utf8')
  const commit = /^- Commit: ([0-9a-f]+)$/m.exec(results)?.[1]
  const compare = commit && ['git', 'diff', '--quiet', commit, '--', 'src']
  if (compare && Bun.spawnSync(compare, { cwd: root }).exitCode === 0) return
  throw new Error(
    `bench/RESULTS.md measured ${commit ?? 'a tree with changes'}, which has other sources. Run "npm run bench" and commit the results, or build single executables with --only`,
  )
}
