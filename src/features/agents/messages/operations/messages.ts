import { Type as t } from '@sinclair/typebox'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { acknowledge } from '../model/acknowledge.ts'
import { unacknowledged } from '../model/lists.ts'
import { Message, MessageId } from '../model/schema.ts'

export const list = operation({
  name: 'messages.list',
  summary: 'Your unacknowledged messages, oldest first; agents only',
  needs: 'tasks:read',
  // Its caller waits for the next message.
  dependsOn: [],
  on: {
    rest: 'GET /api/v1/agents/self/messages',
    cli: { usage: 'messages list', example: '--wait 2' },
  },
  input: t.Object({
    ...t.Pick(listInput({}), ['cursor', 'fields', 'limit']).properties,
    wait: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: 30,
        description: 'Seconds to wait if there is no message',
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
  summary: 'Acknowledge messages, so that they are not delivered again',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/agents/self/messages/ack',
    cli: { usage: 'messages ack <ids>', example: 'msg_6_120_mi7c2k00' },
  },
  input: t.Object({ ids: t.Array(MessageId, { minItems: 1, maxItems: 500 }) }),
  output: t.Object({
    acknowledged: t.Integer({
      description: 'Number of messages, including those acknowledged before',
    }),
    unknown: t.Array(t.String(), { description: 'Ids that match no message of yours' }),
  }),
  run: ({ ids }, ctx) => acknowledge(ctx, ids),
})
