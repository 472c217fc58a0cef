import { Type as t } from '@sinclair/typebox'
import { contentFor } from '../../../../content/index.ts'
import { operation } from '../../../../kernel/operation.ts'

export const preview = operation({
  name: 'drafts.preview',
  summary: 'Render a markdown text as HTML, as it would be shown; nothing is stored',
  needs: 'tasks:read',
  dependsOn: [],
  on: { rest: 'POST /api/v1/preview' },
  input: t.Object({ text: t.String({ minLength: 1, maxLength: 1_048_576 }) }),
  output: t.Object({ html: t.String() }),
  prepare: ({ text }, request) => contentFor(request).html(text, 'markdown', 'text'),
  run: async (_, __, html) => ({ html }),
})
