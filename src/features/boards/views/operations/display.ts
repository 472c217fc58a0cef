import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { setDisplay } from '../model/change.ts'
import { Display, ViewId, ViewReceipt } from '../model/schema.ts'
import { locateEditable, receiptOf } from '../model/store.ts'

export const setViewDisplay = operation({
  name: 'views.set_display',
  summary: 'Set how a table shows a view: columns, groups, totals',
  needs: 'tasks:write',
  on: { rest: 'PUT /api/v1/views/:view_id/display' },
  input: t.Object({
    view_id: ViewId,
    display: t.Union([Display, t.Null()], { description: 'Replaces it; null: the default' }),
  }),
  output: ViewReceipt,
  async run({ view_id, display }, ctx) {
    const located = await locateEditable(ctx, view_id)
    const view = await setDisplay(ctx, located, display)
    return receiptOf(ctx, view ?? located.view, view ? ['display'] : [])
  },
})
