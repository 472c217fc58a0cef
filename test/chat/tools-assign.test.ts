import { expect, test } from 'bun:test'
import { claimTask } from '../support/fixtures.ts'
import type { Actor, World } from '../support/world.ts'
import { catchRefusal, chatToolsOf, chatToolsWorld } from './chat-tools.ts'

const assigneesOf = async ({ ada }: Pick<World, 'ada'>, ticket_number: string) =>
  ((await ada['tasks.get']({ ticket_number })) as { assignees: { name: string }[] }).assignees.map(
    ({ name }) => name,
  )

const userIdOf = ({ caller }: Actor) => String(caller.actor_id)

test('a person is identified by user id, me, name or email, an agent by name or UUID', async () => {
  const w = await chatToolsWorld()
  const { ticket_number } = w.tasks.copy
  const cases: [string, string][] = [
    [userIdOf(w.ben), 'Ben'],
    ['me', 'Cleo'],
    ['Ada', 'Ada'],
    ['ben@example.com', 'Ben'],
    ['Bot', 'Bot'],
    [w.bot.caller.agent_id!, 'Bot'],
  ]
  for (const [identifier, name] of cases) {
    await w.chat.call('tasks_assign_to', {
      ticket_numbers: [ticket_number],
      assignees: [identifier],
    })
    expect([identifier, await assigneesOf(w, ticket_number)]).toEqual([identifier, [name]])
    await w.chat.call('tasks_unassign', {
      ticket_numbers: [ticket_number],
      assignees: [identifier],
    })
    expect([identifier, await assigneesOf(w, ticket_number)]).toEqual([identifier, []])
  }
})

test('assignees and ticket numbers match without regard to case and surrounding spaces', async () => {
  const w = await chatToolsWorld()
  const { ticket_number } = w.tasks.copy
  const uuid = w.bot.caller.agent_id!.toUpperCase()
  for (const identifier of ['  aDA ', 'ADA@Example.com', '@ada', ' BOT', uuid, ' ME ']) {
    const input = { ticket_numbers: [` ${ticket_number.toLowerCase()} `], assignees: [identifier] }
    await w.chat.call('tasks_assign_to', input)
    expect([identifier, (await assigneesOf(w, ticket_number)).length]).toEqual([identifier, 1])
    await w.chat.call('tasks_unassign', { ticket_numbers: [ticket_number] })
  }
})

test('a name that a person and an agent share is refused as ambiguous, and nobody is assigned', async () => {
  const w = await chatToolsWorld()
  const namesake = await w.addAgent(w.team_id, w.cleo, 'Ada')
  const { ticket_number } = w.tasks.copy
  const seq = await w.changeTypes()
  const input = { ticket_numbers: [ticket_number], assignees: ['ben', 'ADA'] }
  const { code, message, details, hint } = await catchRefusal(w.chat.call('tasks_assign_to', input))
  expect(code).toBe('ambiguous')
  expect(message).toMatch(
    /^HP-2: "ADA" matches Ada \(user_id \d+\) and the agent Ada \(.{36}\) on the /,
  )
  expect(details).toMatchObject({
    ...{ field: 'assignees.1', code: 'ambiguous', value: 'ADA', ticket_number },
    candidates: [
      { kind: 'person', user_id: w.ada.caller.actor_id, name: 'Ada', email: 'ada@example.com' },
      { kind: 'agent', agent_id: namesake.caller.agent_id!, name: 'Ada' },
    ],
  })
  expect(hint).toBe(
    'Ask who is meant, then use the user_id or email of a person, or the UUID of an agent',
  )
  expect(await assigneesOf(w, ticket_number)).toEqual([])
  expect(await w.changeTypes()).toEqual(seq)

  for (const identifier of [userIdOf(w.ada), 'ada@example.com', namesake.caller.agent_id!])
    await w.chat.call('tasks_assign_to', { ...input, assignees: [identifier] })
  expect(await assigneesOf(w, ticket_number)).toEqual(['Ada', 'Ada'])
  const ambiguousFault = await catchRefusal(
    w.chat.call('tasks_unassign', { ...input, assignees: ['Ada'] }),
  )
  expect(ambiguousFault.code).toBe('ambiguous')
})

test('the refusal of a name that two people share shows their emails, but not to a guest', async () => {
  const w = await chatToolsWorld()
  const second = await w.addMember(w.team_id, 'Benny', 'member')
  await second['user_context.update_profile']({ display_name: 'Ben' })
  const { project_id } = w.board
  await w.ada['projects.invite_member']({ project_id, member_identifier: w.gus.caller.actor_id })
  const input = { ticket_numbers: [w.tasks.copy.ticket_number], assignees: ['Ben'] }
  const fault = await catchRefusal(w.chat.call('tasks_assign_to', input))
  expect(fault.text).toContain('benny@example.com')
  const gus = chatToolsOf(w, await w.authenticateAs(w.gus.caller.actor_id))
  const guest = await catchRefusal(gus.call('tasks_assign_to', input))
  expect(guest.details.candidates).toHaveLength(2)
  expect(guest.text).not.toContain('@example.com')
})

test('only those who can see the board can be assigned, and a similar name is suggested', async () => {
  const w = await chatToolsWorld()
  const { ticket_number } = w.tasks.copy
  await w.addAgent(w.otherTeamId, w.otto, 'Stranger')
  const assignFault = (identifier: string) =>
    catchRefusal(
      w.chat.call('tasks_assign_to', { ticket_numbers: [ticket_number], assignees: [identifier] }),
    )
  for (const identifier of ['Otto', 'otto@example.com', userIdOf(w.otto), 'Gus', 'Stranger']) {
    const { code, details, text } = await assignFault(identifier)
    expect([identifier, code, details.code]).toEqual([identifier, 'invalid', 'not_found'])
    expect(text).not.toContain('otto@example.com" is')
  }
  expect((await assignFault('Clea')).hint).toBe('Did you mean Cleo?')
  expect((await assignFault('Nobody at all')).hint).toContain('Ada, Ben, Cleo, Bot')
})

test('a member cannot assign or unassign an agent of another member', async () => {
  const w = await chatToolsWorld()
  const input = { ticket_numbers: [w.tasks.copy.ticket_number], assignees: ['Bot'] }
  const dora = chatToolsOf(w, await w.addMember(w.team_id, 'Dora', 'member'))
  expect((await catchRefusal(dora.call('tasks_assign_to', input))).code).toBe('forbidden')
  await w.chat.call('tasks_assign_to', input)
  expect((await catchRefusal(dora.call('tasks_unassign', input))).code).toBe('forbidden')
  expect(
    (await catchRefusal(dora.call('tasks_unassign', { ...input, assignees: undefined }))).code,
  ).toBe('forbidden')
  expect(await assigneesOf(w, w.tasks.copy.ticket_number)).toEqual(['Bot'])
})

test('an assignee who can no longer see the board can be unassigned', async () => {
  const w = await chatToolsWorld()
  const { project_id } = w.board
  const user_id = w.gus.caller.actor_id
  await w.ada['projects.invite_member']({ project_id, member_identifier: user_id })
  const input = { ticket_numbers: [w.tasks.copy.ticket_number], assignees: ['Gus'] }
  await w.chat.call('tasks_assign_to', input)
  await w.ada['projects.remove_member']({ project_id, user_id })
  await w.ada['tasks.assign']({ ...w.tasks.copy, user_id: w.ben.caller.actor_id })
  await w.chat.call('tasks_unassign', input)
  expect(await assigneesOf(w, w.tasks.copy.ticket_number)).toEqual(['Ben'])
})

test('several tasks are assigned in one call, all or none, with a change for each', async () => {
  const w = await chatToolsWorld()
  const ticket_numbers = [w.tasks.copy.ticket_number, w.tasks.link.ticket_number]
  const { answer } = await w.chat.call('tasks_assign_to', { ticket_numbers, assignees: ['Ben'] })
  expect(answer.data).toMatchObject(
    ticket_numbers.map((ticket_number) => ({ ticket_number, changed: ['assignees'] })),
  )
  expect(await w.changeTypes()).toEqual(['task.assigned', 'task.assigned'])
  const withUnknown = [...ticket_numbers, 'HP-99']
  await catchRefusal(
    w.chat.call('tasks_assign_to', { ticket_numbers: withUnknown, assignees: ['Ada'] }),
  )
  expect(await assigneesOf(w, ticket_numbers[0]!)).toEqual(['Ben'])
  expect(await w.changeTypes()).toHaveLength(2)
})

test('an agent in a chat needs a lease before it assigns, unassigns or labels', async () => {
  const w = await chatToolsWorld(({ bot }) => bot)
  const { ticket_number } = w.tasks.copy
  const calls: [string, object][] = [
    ['tasks_assign_to', { assignees: ['me'] }],
    ['tasks_unassign', {}],
    ['tasks_add_label', { label: 'bug' }],
    ['tasks_remove_label', { label: 'bug' }],
  ]
  for (const [name, input] of calls) {
    const callInput = { ticket_numbers: [ticket_number], ...input }
    expect([name, (await catchRefusal(w.chat.call(name, callInput))).code]).toEqual([
      name,
      'lease_missing',
    ])
  }
  expect(await w.changeTypes()).toEqual([])
  const { lease_id } = await claimTask(w.bot, w.tasks.copy)
  for (const [name, input] of calls)
    await w.chat.call(name, { ticket_numbers: [ticket_number], ...input, lease_id })
  expect(await assigneesOf(w, ticket_number)).toEqual([])
})
