import { Type as t } from '@sinclair/typebox'
import {
  actor,
  compare,
  type Field,
  moment,
  newer,
  nullable,
  oneOf,
  plain,
  portableRows,
  Text,
  taskRowLines,
} from '../../../../store/portability/index.ts'
import type { Results } from './rules.ts'
import { pullRequests } from './tables.ts'

const Checks = oneOf('none', 'pending', 'passing', 'failing')
const Review = oneOf('none', 'approved', 'changes_requested')
const AllReviews = t.Record(t.String({ maxLength: 500 }), t.Tuple([Review, t.Number()]))
const AllResults = t.Record(t.String({ maxLength: 500 }), t.Tuple([Checks, t.Number()]))

/** Sorted by name, so that two exports of the same results are identical. */
const results: Field<typeof AllResults, Results> = {
  ...plain(AllResults),
  write: (stored) =>
    Object.fromEntries(Object.entries(stored).sort(([a], [b]) => compare(a, b))) as never,
}

export const pullRequestLines = taskRowLines({
  kind: 'pull_request',
  what: 'a pull request',
  orderBy: [pullRequests.url],
  rows: portableRows(
    pullRequests,
    {
      url: plain(t.String({ minLength: 1, maxLength: 2000 })),
      title: plain(nullable(Text)),
      state: plain(oneOf('open', 'merged', 'closed')),
      checks: plain(Checks),
      review: newer(plain(Review), 'none'),
      reviews: newer(plain(nullable(AllReviews)), null),
      branch: newer(plain(nullable(Text)), null),
      preview_url: newer(plain(nullable(t.String({ maxLength: 2000 }))), null),
      head_sha: plain(nullable(t.String({ maxLength: 200 }))),
      results,
      told_at: plain(t.Number()),
      created_by: actor,
      created_at: moment,
      updated_at: moment,
    },
    { pull_request_id: 'generated' },
  ),
  check: ({ task, url }, file) => file.unique('pull requests', `${task} ${url}`),
})
