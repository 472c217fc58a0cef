import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { backlinksOf } from '../model/backlinks.ts'
import { address, PageId } from '../model/schema.ts'
import { findPage } from '../model/store.ts'

export const backlinks = operation({
  name: 'pages.backlinks',
  summary: 'Pages and tasks on the same board that link to a page',
  needs: 'pages:read',
  // A change of a description of the board has no type of its own; the app reads this when shown.
  dependsOn: ['page'],
  on: {
    rest: 'GET /api/v1/pages/:page_id/backlinks',
    cli: { usage: 'pages backlinks <page_id>', example: '1' },
  },
  input: t.Object(address),
  output: t.Array(
    t.Object({
      kind: t.Union([t.Literal('page'), t.Literal('task')]),
      page_id: t.Union([PageId, t.Null()]),
      title: t.String(),
      ticket_number: t.String(),
    }),
  ),
  heavy: true,
  run: async (input, ctx) => backlinksOf(ctx, await findPage(ctx, input)),
})
