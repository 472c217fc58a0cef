import { expect, test } from 'bun:test'
import { claimed } from '../furniture.ts'
import type { Actor, World } from '../world.ts'
import { chatOf, refusal, talking } from './cast.ts'

const holders = async ({ ada }: Pick<World, 'ada'>, ticket_number: string) =>
  ((await ada['tasks.get']({ ticket_number })) as { assignees: { name: string }[] }).assignees.map(
    ({ name }) => name,
  )

const id = ({ caller }: Actor) => String(caller.actor_id)

test('a person is identified by user id, me, name or email, an agent by name or UUID', async () => {
  const w = await talking()
  const { ticket_number } = w.tasks.copy
  const said: [string, string][] = [
    [id(w.ben), 'Ben'],
    ['me', 'Cleo'],
    ['Ada', 'Ada'],
    ['ben@example.com', 'Ben'],
    ['Bot', 'Bot'],
    [w.bot.caller.agent_id!, 'Bot'],
  ]
  for (const [word, name] of said) {
    await w.chat.call('tasks_assign_to', { ticket_numbers: [ticket_number], assignees: [word] })
    expect([word, await holders(w, ticket_number)]).toEqual([word, [name]])
    await w.chat.call('tasks_unassign', { ticket_numbers: [ticket_number], assignees: [word] })
    expect([word, await holders(w, ticket_number)]).toEqual([word, []])
  }
})

test('assignees and ticket numbers match without regard to case and surrounding spaces', async () => {
  const w = await talking()
  const { ticket_number } = w.tasks.copy
  const uuid = w.bot.caller.agent_id!.toUpperCase()
  for (const word of ['  aDA ', 'ADA@Example.com', '@ada', ' BOT', uuid, ' ME ']) {
    const given = { ticket_numbers: [` ${ticket_number.toLowerCase()} `], assignees: [word] }
    await w.chat.call('tasks_assign_to', given)
    expect([word, (await holders(w, ticket_number)).length]).toEqual([word, 1])
    await w.chat.call('tasks_unassign', { ticket_numbers: [ticket_number] })
  }
})

test('a name that a person and an agent share is refused as ambiguous, and nobody is assigned', async () => {
  const w = await talking()
  const twin = await w.agent(w.team_id, w.cleo, 'Ada')
  const { ticket_number } = w.tasks.copy
  const seq = await w.emitted()
  const call = { ticket_numbers: [ticket_number], assignees: ['ben', 'ADA'] }
  const { code, message, details, hint } = await refusal(w.chat.call('tasks_assign_to', call))
  expect(code).toBe('ambiguous')
  expect(message).toMatch(
    /^HP-2: "ADA" matches Ada \(user_id \d+\) and the agent Ada \(.{36}\) on the /,
  )
  expect(details).toMatchObject({
    ...{ field: 'assignees.1', code: 'ambiguous', value: 'ADA', ticket_number },
    candidates: [
      { kind: 'person', user_id: w.ada.caller.actor_id, name: 'Ada', email: 'ada@example.com' },
      { kind: 'agent', agent_id: twin.caller.agent_id!, name: 'Ada' },
    ],
  })
  expect(hint).toBe(
    'Ask who is meant, then use the user_id or email of a person, or the UUID of an agent',
  )
  expect(await holders(w, ticket_number)).toEqual([])
  expect(await w.emitted()).toEqual(seq)

  for (const word of [id(w.ada), 'ada@example.com', twin.caller.agent_id!])
    await w.chat.call('tasks_assign_to', { ...call, assignees: [word] })
  expect(await holders(w, ticket_number)).toEqual(['Ada', 'Ada'])
  const both = await refusal(w.chat.call('tasks_unassign', { ...call, assignees: ['Ada'] }))
  expect(both.code).toBe('ambiguous')
})

test('the refusal of a name that two people share shows their emails, but not to a guest', async () => {
  const w = await talking()
  const second = await w.member(w.team_id, 'Benny', 'member')
  await second['user_context.update_profile']({ display_name: 'Ben' })
  const { project_id } = w.board
  await w.ada['projects.invite_member']({ project_id, member_identifier: w.gus.caller.actor_id })
  const call = { ticket_numbers: [w.tasks.copy.ticket_number], assignees: ['Ben'] }
  const told = await refusal(w.chat.call('tasks_assign_to', call))
  expect(told.text).toContain('benny@example.com')
  const gus = chatOf(w, await w.as(w.gus.caller.actor_id))
  const guest = await refusal(gus.call('tasks_assign_to', call))
  expect(guest.details.candidates).toHaveLength(2)
  expect(guest.text).not.toContain('@example.com')
})

test('only those who can see the board can be assigned, and a similar name is suggested', async () => {
  const w = await talking()
  const { ticket_number } = w.tasks.copy
  await w.agent(w.elsewhere, w.otto, 'Stranger')
  const ask = (word: string) =>
    refusal(w.chat.call('tasks_assign_to', { ticket_numbers: [ticket_number], assignees: [word] }))
  for (const word of ['Otto', 'otto@example.com', id(w.otto), 'Gus', 'Stranger']) {
    const { code, details, text } = await ask(word)
    expect([word, code, details.code]).toEqual([word, 'invalid', 'not_found'])
    expect(text).not.toContain('otto@example.com" is')
  }
  expect((await ask('Clea')).hint).toBe('Did you mean Cleo?')
  expect((await ask('Nobody at all')).hint).toContain('Ada, Ben, Cleo, Bot')
})

test('a member cannot assign or unassign an agent of another member', async () => {
  const w = await talking()
  const call = { ticket_numbers: [w.tasks.copy.ticket_number], assignees: ['Bot'] }
  const dora = chatOf(w, await w.member(w.team_id, 'Dora', 'member'))
  expect((await refusal(dora.call('tasks_assign_to', call))).code).toBe('forbidden')
  await w.chat.call('tasks_assign_to', call)
  expect((await refusal(dora.call('tasks_unassign', call))).code).toBe('forbidden')
  expect((await refusal(dora.call('tasks_unassign', { ...call, assignees: undefined }))).code).toBe(
    'forbidden',
  )
  expect(await holders(w, w.tasks.copy.ticket_number)).toEqual(['Bot'])
})

test('an assignee who can no longer see the board can be unassigned', async () => {
  const w = await talking()
  const { project_id } = w.board
  const user_id = w.gus.caller.actor_id
  await w.ada['projects.invite_member']({ project_id, member_identifier: user_id })
  const call = { ticket_numbers: [w.tasks.copy.ticket_number], assignees: ['Gus'] }
  await w.chat.call('tasks_assign_to', call)
  await w.ada['projects.remove_member']({ project_id, user_id })
  await w.ada['tasks.assign']({ ...w.tasks.copy, user_id: w.ben.caller.actor_id })
  await w.chat.call('tasks_unassign', call)
  expect(await holders(w, w.tasks.copy.ticket_number)).toEqual(['Ben'])
})

test('several tasks are assigned in one call, all or none, with a change for each', async () => {
  const w = await talking()
  const ticket_numbers = [w.tasks.copy.ticket_number, w.tasks.link.ticket_number]
  const { answer } = await w.chat.call('tasks_assign_to', { ticket_numbers, assignees: ['Ben'] })
  expect(answer.data).toMatchObject(
    ticket_numbers.map((ticket_number) => ({ ticket_number, changed: ['assignees'] })),
  )
  expect(await w.emitted()).toEqual(['task.assigned', 'task.assigned'])
  const more = [...ticket_numbers, 'HP-99']
  await refusal(w.chat.call('tasks_assign_to', { ticket_numbers: more, assignees: ['Ada'] }))
  expect(await holders(w, ticket_numbers[0]!)).toEqual(['Ben'])
  expect(await w.emitted()).toHaveLength(2)
})

test('an agent in a chat needs a lease before it assigns, unassigns or labels', async () => {
  const w = await talking(({ bot }) => bot)
  const { ticket_number } = w.tasks.copy
  const calls: [string, object][] = [
    ['tasks_assign_to', { assignees: ['me'] }],
    ['tasks_unassign', {}],
    ['tasks_add_label', { label: 'bug' }],
    ['tasks_remove_label', { label: 'bug' }],
  ]
  for (const [name, input] of calls) {
    const given = { ticket_numbers: [ticket_number], ...input }
    expect([name, (await refusal(w.chat.call(name, given))).code]).toEqual([name, 'lease_missing'])
  }
  expect(await w.emitted()).toEqual([])
  const { lease_id } = await claimed(w.bot, w.tasks.copy)
  for (const [name, input] of calls)
    await w.chat.call(name, { ticket_numbers: [ticket_number], ...input, lease_id })
  expect(await holders(w, ticket_number)).toEqual([])
})
