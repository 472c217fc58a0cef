import { Type as t } from '@sinclair/typebox'
import { and, getTableColumns } from 'drizzle-orm'
import type { Scope } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { countTest } from '../../mail/model/index.ts'
import { type Channel, findChannel, ofOwner, ownerOf } from '../model/access.ts'
import { checkUrl } from '../model/config.ts'
import { testMessage } from '../model/message.ts'
import {
  ChannelChanges,
  ChannelId,
  ChannelRow,
  ChannelTest,
  DeletedChannel,
  NewChannel,
  NewChannelInput,
  RotatedChannel,
  sharedOf,
} from '../model/schema.ts'
import { sendMessage } from '../model/send.ts'
import {
  createChannel,
  placeOfChannel,
  removeChannel,
  rotateChannel,
  toChannelRow,
  updateChannel,
} from '../model/store.ts'
import { channels } from '../model/tables.ts'

const ROUTE = '/api/v1/channels'
const TIMEOUT_MS = 10_000

function scopeFor(input: { project_id?: number; team_id?: number }): Scope | undefined {
  if (input.project_id !== undefined) return 'projects:manage'
  return input.team_id === undefined ? undefined : 'teams:manage'
}

export const list = operation({
  name: 'channels.list',
  summary: 'Your notification channels, or the shared ones of a board or team',
  needs: 'profile:read',
  dependsOn: ['channel'],
  on: { rest: `GET ${ROUTE}`, cli: { usage: 'channels list', example: '' } },
  input: listInput(sharedOf, ['createdAt', 'title']),
  output: listOf(ChannelRow),
  async run({ project_id, team_id, ...paging }, ctx) {
    const owner = await ownerOf(ctx, { project_id, team_id })
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `channels ${owner.team_id} ${owner.project_id}`,
      from: channels,
      columns: getTableColumns(channels),
      where: and(ofOwner(owner), matchesSearch(paging, [channels.title])),
      sorts: { createdAt: { key: channels.created_at }, title: { key: channels.title } },
      id: 'channel_id',
    })
    return { items: rows.map((row) => toChannelRow(ctx.server, row as Channel)), page }
  },
})

export const create = operation({
  name: 'channels.create',
  summary: 'Create a notification channel: push, ntfy, Slack, a webhook and others',
  needs: 'profile:write',
  elevatedScope: scopeFor,
  creates: true,
  on: {
    rest: `POST ${ROUTE}`,
    cli: {
      usage: 'channels create <kind> <url>',
      example: 'ntfy https://ntfy.sh --topic lantern-k7Qx2',
    },
  },
  input: NewChannelInput,
  output: NewChannel,
  async prepare({ url }, { server }) {
    if (url !== undefined) await checkUrl(server, url)
  },
  async run(input, ctx) {
    const { channel, secret } = await createChannel(ctx, await ownerOf(ctx, input), input)
    const { channel_id, kind, origin } = channel
    ctx.emit('channel.created', placeOfChannel(channel), { channel_id, kind, origin })
    return { ...toChannelRow(ctx.server, channel), ...(secret && { secret }) }
  },
})

export const update = operation({
  name: 'channels.update',
  summary: 'Change a channel: its events, its address, or whether it is on',
  needs: 'profile:write',
  on: {
    rest: `PATCH ${ROUTE}/:channel_id`,
    cli: { usage: 'channels update <channel_id>', example: '1 --mode daily --hour 7' },
  },
  input: ChannelChanges,
  output: ChannelRow,
  async prepare({ url }, { server }) {
    if (url !== undefined) await checkUrl(server, url)
  },
  async run(input, ctx) {
    const before = await findChannel(ctx, input.channel_id)
    const { channel, fields } = await updateChannel(ctx, before, input)
    const { channel_id, active } = channel
    if (fields.length)
      ctx.emit('channel.updated', placeOfChannel(channel), { channel_id, fields, active })
    return toChannelRow(ctx.server, channel)
  },
})

export const rotate = operation({
  name: 'channels.rotate',
  summary: 'Rotate the secret of a webhook; the old one also signs for one more day',
  needs: 'profile:write',
  destroys: true,
  on: {
    rest: `POST ${ROUTE}/:channel_id/rotate`,
    cli: { usage: 'channels rotate <channel_id>', example: '1' },
  },
  input: t.Object({ channel_id: ChannelId }),
  output: RotatedChannel,
  async run({ channel_id }, ctx) {
    const channel = await findChannel(ctx, channel_id)
    const rotated = await rotateChannel(ctx, channel)
    const { active } = channel
    const data = { channel_id, fields: ['secret'], active }
    ctx.emit('channel.updated', placeOfChannel(channel), data)
    return { channel_id, ...rotated }
  },
})

export const remove = operation({
  name: 'channels.delete',
  summary: 'Delete a channel; what it has not sent yet stays in the inbox',
  needs: 'profile:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}/:channel_id`,
    cli: { usage: 'channels delete <channel_id>', example: '1' },
  },
  input: t.Object({ channel_id: ChannelId }),
  output: DeletedChannel,
  async run({ channel_id }, ctx) {
    const channel = await findChannel(ctx, channel_id)
    await removeChannel(ctx.tx, channel)
    ctx.emit('channel.deleted', placeOfChannel(channel), { channel_id, kind: channel.kind })
    return { channel_id, deleted: true as const }
  },
})

export const test = operation({
  name: 'channels.test',
  summary: 'Send a test message to a channel now, and show the result',
  needs: 'profile:write',
  on: {
    rest: `POST ${ROUTE}/:channel_id/test`,
    cli: { usage: 'channels test <channel_id>', example: '1' },
  },
  input: t.Object({ channel_id: ChannelId }),
  output: ChannelTest,
  async prepare({ channel_id }, { read, server, caller, now }) {
    const id = `msg_test_${crypto.randomUUID()}`
    const { channel, message } = await read(async (tx) => ({
      channel: await findChannel({ tx, caller }, channel_id),
      message: await testMessage(tx, server, caller.actor_id, id),
    }))
    countTest(server, caller.actor_id, now)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { status, error } = await sendMessage(server, channel, message, { now, signal })
    return { channel_id, sent: error === null, status, error }
  },
  run: async (_, __, result) => result,
})
