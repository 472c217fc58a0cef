import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { findTitles, quickMatches } from '../model/quick/find.ts'
import { QuickInput, QuickMatch } from '../model/quick/schema.ts'

export const quick = operation({
  name: 'search.quick',
  summary: 'Find tasks, pages, boards, people and skills by title while typing',
  needs: 'tasks:read',
  // The index lags behind the changes.
  dependsOn: [],
  on: {
    rest: 'GET /api/v1/search/quick',
    cli: { usage: 'search quick <query>', example: 'log' },
  },
  input: QuickInput,
  output: t.Array(QuickMatch),
  uncached: true,
  prepare: (input, ask) => findTitles(ask, input),
  run: (input, ctx, refs) => quickMatches(ctx, input, refs),
})
