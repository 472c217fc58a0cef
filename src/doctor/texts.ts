import { inspectIndex } from '../features/search/text_index/model/index.ts'
import type { Tx } from '../kernel/caller.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const REINDEX = 'Run "cork reindex" to rebuild it; the server can keep running'

/** Checks that the text index matches the tasks. */
export async function checkTexts(tx: Tx): Promise<Finding> {
  const check = 'text index'
  const { whole, tasks, texts, stale } = await inspectIndex(tx)
  if (!whole)
    return warning(
      check,
      `${texts} of ${tasks} tasks are in it so far`,
      'The server builds it while it runs; check again later',
    )
  if (texts === tasks && !stale.length) return ok(check, `has all ${tasks} tasks`)
  const what = stale.length ? `, and is outdated for ${stale.slice(0, 5).join(', ')}` : ''
  return problem(check, `it has ${texts} of ${tasks} tasks${what}`, REINDEX)
}
