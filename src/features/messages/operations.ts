import { Type as t } from '@sinclair/typebox'
import { listInput, listOf } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { acknowledge } from './acknowledge.ts'
import { unacknowledged } from './lists.ts'
import { Message, MessageId } from './schema.ts'

export const list = operation({
  name: 'messages.list',
  summary: 'What you were told and have not acknowledged, oldest first; for agents',
  needs: 'tasks:read',
  on: { rest: 'GET /api/v1/agents/self/messages', cli: 'messages list' },
  input: t.Object({
    ...t.Pick(listInput({}), ['cursor', 'fields', 'limit']).properties,
    wait: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: 30,
        description: 'Seconds to wait for a message where there is none',
      }),
    ),
  }),
  output: listOf(Message),
  longPoll: {
    seconds: ({ wait = 0 }) => wait,
    hasResult: ({ items, page }) => items.length > 0 || page.has_more,
  },
  run: (input, ctx) => unacknowledged(ctx, input),
})

export const ack = operation({
  name: 'messages.ack',
  summary: 'Acknowledge messages, so that you are not told them again',
  needs: 'tasks:write',
  on: { rest: 'POST /api/v1/agents/self/messages/ack', cli: 'messages ack <ids>' },
  input: t.Object({ ids: t.Array(MessageId, { minItems: 1, maxItems: 500 }) }),
  output: t.Object({
    acknowledged: t.Integer({ description: 'How many, with those acknowledged before' }),
    unknown: t.Array(t.String(), { description: 'Ids of no message of yours' }),
  }),
  run: ({ ids }, ctx) => acknowledge(ctx, ids),
})
