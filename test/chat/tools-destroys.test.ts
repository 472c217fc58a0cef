import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { type AnyOperation, isWrite } from '../../src/kernel/operation.ts'
import { samples } from '../support/samples.ts'
import { chatToolsWorld } from './chat-tools.ts'

/** The operations of chats themselves are no tools of a chat. */
const operations = (catalog as readonly AnyOperation[]).filter(
  ({ name }) => !name.startsWith('chat.'),
)

const declaredApproval = (op: AnyOperation) => {
  if (op.destroys) return op.destroys === true ? 'always' : 'for some inputs'
  return isWrite(op) ? 'never' : undefined
}

test('a write needs approval always, never or for some inputs, as its sample says', () => {
  for (const op of operations) {
    const { approval } = samples[op.name]!
    const expected = typeof approval === 'object' ? 'for some inputs' : approval
    expect([op.name, declaredApproval(op)]).toEqual([op.name, expected])
  }
})

test('a conditional operation destroys with one of its inputs and not with the other', () => {
  for (const { name, destroys } of operations) {
    const { approval } = samples[name]!
    if (typeof approval !== 'object') continue
    const destroysWith = destroys as (input: object) => boolean
    expect([name, destroysWith(approval.asksFor), destroysWith(approval.notFor)]).toEqual([
      name,
      true,
      false,
    ])
  }
})

test('no chat tool returns a secret that is shown once', async () => {
  const { chat, board, cleo, ada, ...w } = await chatToolsWorld(({ ada }) => ada)
  const secretOperations = operations.filter(({ on, output }) => on.chat && output.secret === true)
  expect(secretOperations.map(({ name }) => name)).toEqual(['projects.invite_member'])
  const names = [...chat.tools.keys()]
  for (const name of ['agents_create', 'agents_rotate', 'agents_enable', 'webhooks_configure'])
    expect(names).not.toContain(name)
  expect(names).not.toContain('webhooks_rotate')
  const { project_id } = board
  const invited = { project_id, member_identifier: 'new@example.com' }
  const { text, output, answer } = await chat.call('projects_invite_member', invited)
  const { link } = answer.data as { link: string }
  expect(link).toContain('/invitations/')
  for (const visibleText of [text, JSON.stringify(output)]) {
    expect(visibleText).toContain('invited')
    expect(visibleText).not.toContain(link.split('/').at(-1)!)
  }
  expect(await w.changeTypes()).toHaveLength(1)
})
