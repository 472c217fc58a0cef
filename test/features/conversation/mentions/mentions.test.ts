import { expect, test } from 'bun:test'
import { atWords, matchesName } from '../../../../src/features/conversation/mentions/model/rules.ts'
import { faultOf } from '../../../support/faults.ts'
import { startCpuTimer } from '../../../support/time.ts'
import { type World, world } from '../../../support/world.ts'

const mentionedWords = (text: string, format: 'html' | 'markdown' = 'html') =>
  atWords(text, format).map(({ word }) => word)

/** Adds a comment over REST and returns the warnings of the response. */
async function commentWarnings(w: World, body: object) {
  const response = await w.http(w.cleo, 'POST', '/api/v1/tasks/HP-1/comments', body)
  expect(response.status).toBe(201)
  const warnings = response.body.warnings ?? []
  return warnings.map(({ field, code, message }: Record<string, string>) => [field, code, message])
}

test('the mentions of a comment are stored, and each is logged as comment.mention', async () => {
  const w = await world()
  const { ada, bot, cleo, tasks } = w
  const { agent_id } = bot.caller
  const receipt = await cleo['comments.add']({
    ...tasks.logo,
    text: '<p>@Ada and @bot, please look</p>',
    mentions: [{ user_id: ada.caller.actor_id, display_name: 'Ada' }, { agent_id }],
  })
  const { comment_id, mentioned } = receipt
  expect(mentioned).toEqual([
    { kind: 'person', user_id: ada.caller.actor_id, name: 'Ada' },
    { kind: 'agent', agent_id: agent_id!, name: 'Bot' },
  ])
  expect((await ada['comments.get']({ comment_id })).mentions).toEqual(mentioned)
  const [created, ...mentions] = await w.changes()
  const ids = [ada.caller.actor_id, bot.caller.actor_id]
  expect(created!.data).toMatchObject({ mentioned: ids })
  expect(mentions).toMatchObject(
    mentioned.map((actor, at) => ({
      type: 'comment.mention',
      task_id: tasks.logo.task_id,
      data: { comment_id, actor, actor_id: ids[at], snippet: '@Ada and @bot, please look' },
    })),
  )
})

test('a mention of somebody who cannot see the board is refused like an unknown id', async () => {
  const w = await world()
  const stranger = await w.addAgent(w.otherTeamId, w.otto, 'Spy')
  const cases = [
    [{ user_id: w.otto.caller.actor_id, display_name: 'Otto' }, 'user_id'],
    [{ user_id: w.gus.caller.actor_id }, 'user_id'],
    [{ user_id: 4711 }, 'user_id'],
    [{ user_id: w.bot.caller.actor_id }, 'user_id'],
    [{ agent_id: stranger.caller.agent_id }, 'agent_id'],
    [{ agent_id: crypto.randomUUID() }, 'agent_id'],
  ] as const
  for (const [mention, field] of cases) {
    const mentions = [{ user_id: w.ada.caller.actor_id }, mention]
    const call = w.cleo['comments.add']({ ...w.tasks.logo, text: 'x', mentions })
    const { code, details, message } = await faultOf(call)
    expect({ code, details }).toMatchObject({
      code: 'invalid',
      details: { field: `mentions.1.${field}`, code: 'not_found' },
    })
    expect(message).not.toMatch(/Otto|Spy|Gus/)
  }
  const both = { user_id: w.ada.caller.actor_id, agent_id: w.bot.caller.agent_id }
  for (const [mention, code] of [
    [{ display_name: 'Ada' }, 'required'],
    [both, 'conflict'],
  ] as const)
    expect(
      (await faultOf(w.cleo['comments.add']({ ...w.tasks.logo, text: 'x', mentions: [mention] })))
        .details,
    ).toMatchObject({ field: 'mentions.0', code })
  expect(await w.changeTypes()).toEqual([])
})

test('an @word without a mention notifies nobody and returns a warning', async () => {
  const w = await world()
  const user_id = w.ben.caller.actor_id
  expect(await commentWarnings(w, { text: '@ben @nobody @Ben' })).toEqual([
    [
      ...['text', 'unresolved_mention'],
      `@ben notifies nobody: add {"user_id":${user_id},"display_name":"Ben"} to mentions`,
    ],
    ['text', 'unresolved_mention', expect.stringContaining('@nobody notifies nobody: pass')],
  ])
  expect(await w.changeTypes()).toEqual(['comment.created'])
  expect(await commentWarnings(w, { text: '@a1 @b2 @c3 @d4 @e5 @f6' })).toHaveLength(5)
  const mentions = [{ user_id, display_name: 'Ben' }]
  expect(await commentWarnings(w, { text: '@BEN, look', mentions })).toEqual([])
  expect(await commentWarnings(w, { text: '@Benjamin', mentions })).toHaveLength(1)
})

test('a mention whose display_name differs from the person’s name returns a warning', async () => {
  const w = await world()
  const mentions = [{ user_id: w.ben.caller.actor_id, display_name: 'Ada' }]
  const [warning, ...rest] = await commentWarnings(w, { text: '@Ada', mentions })
  expect(rest).toEqual([])
  expect(warning).toEqual([
    ...['mentions.0.display_name', 'conflict'],
    'mentions.0 notifies Ben, though display_name is "Ada"',
  ])
})

test('an @ in code, addresses or paths is not a mention', () => {
  expect(
    mentionedWords('<p>@ada, (@ben) and "@cleo"</p><pre>@otto</pre><code>@gus</code>'),
  ).toEqual([...['ada', 'ben', 'cleo']])
  const noMentions =
    'ben@example.com @types/node @ben.example.com a/@b @1 @ @@x git@host foo(@bar(1))'
  expect(mentionedWords(noMentions)).toEqual([])
  expect(mentionedWords('@ada. @Ada @jean-luc_2 @Jürgen!')).toEqual(['ada', 'jean-luc_2', 'Jürgen'])
  const markdown = '@ada\n\n```\n@otto\n```\n\n`@gus` **@ben**\n\n    @cleo\n'
  expect(mentionedWords(markdown, 'markdown')).toEqual(['ada', 'ben'])
  expect(mentionedWords('&#64;ada')).toEqual(['ada'])
})

test('an @ followed by a name of several words matches the full name only', () => {
  const [word] = atWords('@Ada Lovelace wrote it', 'html')
  expect(matchesName(word!, 'ada lovelace')).toBe(true)
  expect(matchesName(word!, 'Ada Love')).toBe(false)
  expect(matchesName(word!, '')).toBe(false)
})

test('texts with a megabyte of @ are parsed within five seconds of processor time', () => {
  const elapsedCpu = startCpuTimer()
  for (const text of ['@', '@a', '@a.', '@a/', '@aaaa-'])
    atWords(text.repeat(1_048_576 / text.length), 'html')
  expect(elapsedCpu()).toBeLessThan(5000)
})

test('editing a comment notifies only those who were not mentioned before', async () => {
  const w = await world()
  const mentionOf = (actor: World['ada']) => ({ user_id: actor.caller.actor_id })
  const { comment_id } = await w.cleo['comments.add']({
    ...{ ...w.tasks.logo, text: '@Ada @Ben', mentions: [mentionOf(w.ada), mentionOf(w.ben)] },
  })
  const seq = (await w.changes()).at(-1)!.seq
  const edit = (overrides: object) =>
    w.cleo['comments.update']({ comment_id, text: 'x', ...overrides })
  expect((await edit({})).mentioned).toEqual([])
  const mentions = [mentionOf(w.ben), mentionOf(w.cleo)]
  expect((await edit({ text: 'y', mentions })).mentioned).toMatchObject([{ name: 'Cleo' }])
  const newChanges = (await w.changes(seq)).map(({ type, data }) => [type, data.actor_id])
  expect(newChanges).toEqual([
    ['comment.updated', undefined],
    ['comment.updated', undefined],
    ['comment.mention', w.cleo.caller.actor_id],
  ])
  const { mentions: remaining } = await w.ada['comments.get']({ comment_id })
  expect(remaining.map(({ name }) => name)).toEqual(['Ben', 'Cleo'])
})

test('mentions in a description notify each person once', async () => {
  const w = await world()
  const mentions = [{ user_id: w.ben.caller.actor_id, display_name: 'Ben' }]
  const { task_id } = await w.cleo['tasks.create']({
    ...{ project_id: w.board.project_id, title: 'Paint', description: '@Ben, which colour?' },
    mentions,
  })
  const mentioned = async () =>
    (await w.changes()).filter(({ type }) => type === 'task.mentioned').map(({ data }) => data)
  const actor = { kind: 'person', user_id: w.ben.caller.actor_id, name: 'Ben' }
  const first = { actor, actor_id: w.ben.caller.actor_id, snippet: '@Ben, which colour?' }
  expect(await mentioned()).toMatchObject([{ ...first, ticket_number: 'HP-5' }])
  const unchanged = { task_id, description: '@Ben, which colour?', mentions }
  expect(await w.cleo['tasks.update'](unchanged)).toMatchObject({ description_version: 1 })
  expect(await mentioned()).toHaveLength(1)
  const bothMentions = [...mentions, { agent_id: w.bot.caller.agent_id }]
  await w.cleo['tasks.update']({ task_id, description: '@Ben and @Bot?', mentions: bothMentions })
  await w.cleo['tasks.update']({ task_id, description: '@Ben and @Bot!' })
  expect(await mentioned()).toMatchObject([first, { actor_id: w.bot.caller.actor_id }])
  const fault = await faultOf(w.cleo['tasks.update']({ task_id, mentions }))
  expect(fault.details).toMatchObject({ field: 'mentions', code: 'conflict' })
  const path = '/api/v1/tasks/HP-5'
  const { body } = await w.http(w.cleo, 'PATCH', path, { description: '@Ada' })
  expect(body.warnings).toMatchObject([{ field: 'description', code: 'unresolved_mention' }])
})
