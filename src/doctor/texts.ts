import { inspectIndex } from '../features/tasks/index.ts'
import type { Tx } from '../kernel/caller.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const REINDEX = '"cork reindex" builds it anew, while the server runs'

/** Checks that the text index matches the tasks. */
export async function checkTexts(tx: Tx): Promise<Finding> {
  const check = 'text index'
  const { whole, tasks, texts, stale } = await inspectIndex(tx)
  if (!whole)
    return warning(
      check,
      `${texts} of ${tasks} tasks are in it so far`,
      'The server builds it while it runs; see again later',
    )
  if (texts === tasks && !stale.length) return ok(check, `knows all ${tasks} tasks`)
  const what = stale.length ? `, and not as they are: ${stale.slice(0, 5).join(', ')}` : ''
  return problem(check, `it knows ${texts} of ${tasks} tasks${what}`, REINDEX)
}
