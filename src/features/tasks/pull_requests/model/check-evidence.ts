import type { Context } from '../../../../kernel/caller.ts'
import {
  addEvidence,
  addressOf,
  evidenceOf,
  reviseEvidence,
} from '../../../conversation/evidence/model/index.ts'
import type { Task } from '../../tasks/model/index.ts'
import type { Checks } from './rules.ts'
import type { PullRequest } from './store.ts'

export interface CheckResult {
  name: string
  checks: Checks
  url?: string
}

const MAX_PREFIX = 1900

/**
 * Stores the result of a check as evidence, one piece for each check of a pull request. A result
 * that is pending proves nothing, so it only replaces an earlier one.
 */
export async function recordCheck(
  ctx: Context,
  task: Task,
  { url: pullRequest, head_sha }: Pick<PullRequest, 'url' | 'head_sha'>,
  { name, checks, url }: CheckResult,
): Promise<void> {
  const subject = `${name} of ${pullRequest.replace(/^https?:\/\//, '')}`
  const prefix = `${subject.slice(0, MAX_PREFIX)}: `
  const set = {
    summary: `${prefix}${checks}${head_sha ? ` (${head_sha.slice(0, 7)})` : ''}`,
    url: addressOf(url ?? pullRequest) ?? pullRequest,
  }
  const known = (await evidenceOf(ctx, task, 'test_result')).find(({ summary }) =>
    summary.startsWith(prefix),
  )
  if (!known && (checks === 'pending' || checks === 'none')) return
  if (!known)
    return void (await addEvidence(ctx, task, { kind: 'test_result', attachment_id: null, ...set }))
  if (known.summary !== set.summary || known.url !== set.url)
    await reviseEvidence(ctx, task, known, set)
}
