import type { Tx } from '../kernel/caller.ts'
import { inspectIndex } from '../search/passage-index/inspect.ts'
import { lastSeq } from '../store/log.ts'
import { type Finding, ok, warning } from './finding.ts'

const REINDEX = 'Run "cork reindex" to rebuild it; the server can keep running'

/** Checks that the search index is intact and up to date. */
export async function checkPassages(tx: Tx, path: string): Promise<Finding> {
  const check = 'search index'
  try {
    const index = inspectIndex(path)
    if (!index) return ok(check, 'is built when the server starts')
    const { isOfThisVersion, passages, seq } = index
    if (!isOfThisVersion)
      return ok(check, 'is from another version of cork, and is rebuilt when the server starts')
    if (seq === undefined) return ok(check, `is being built: ${passages} passages so far`)
    const behind = (await lastSeq(tx)) - seq
    if (behind <= 0) return ok(check, `has ${passages} passages and is up to date`)
    return ok(check, `has ${passages} passages; the server has ${behind} changes to index`)
  } catch (error) {
    return warning(check, `${path} is damaged: ${(error as Error).message}`, REINDEX)
  }
}
