import { expect, test } from 'bun:test'
import { catchRefusal, chatToolsWorld } from './chat-tools.ts'

interface Skill {
  skill_id: number
  enabled: boolean
}

const createSkillChat = async () => {
  const w = await chatToolsWorld()
  const read = async (name: string, input: object) => (await w.chat.call(name, input)).answer.data
  const list = () => read('skills_list', {})
  const get = (skill_id: number) => read('skills_get', { skill_id })
  return { ...w, list, get }
}

const SKILL = { name: 'Triage', description: 'Sort what is new', body: 'Look at each task.' }

test('undoing the creation of a skill deletes it', async () => {
  const { chat, list } = await createSkillChat()
  const { undo } = await chat.call('skills_create', SKILL)
  expect(await list()).toHaveLength(1)
  await chat.undo(undo)
  expect(await list()).toEqual([])
})

test('undoing a change of a skill restores it, and conflicts with a later change', async () => {
  const { chat, get } = await createSkillChat()
  const { skill_id } = (await chat.call('skills_create', SKILL)).answer.data as Skill
  const before = await get(skill_id)
  const change = { skill_id, body: 'Ask first.', slug: 'ask', enabled: false }
  const { undo } = await chat.call('skills_update', change)
  expect(await get(skill_id)).toMatchObject({ body: 'Ask first.', slug: 'ask', enabled: false })
  await chat.undo(undo)
  expect(await get(skill_id)).toEqual(before)

  const secondUpdate = await chat.call('skills_update', change)
  await chat.call('skills_update', { skill_id, body: 'Ask twice.' })
  expect((await catchRefusal(chat.undo(secondUpdate.undo))).code).toBe('conflict')
})

test('deleting and importing skills count as destroying, so they need approval', async () => {
  const { chat } = await createSkillChat()
  expect(chat.tool('skills_delete').destroys({ skill_id: 1 })).toBe(true)
  expect(chat.tool('skills_import').destroys({})).toBe(true)
  expect(chat.tool('skills_import').writes({})).toBe(true)
})
