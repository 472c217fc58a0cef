import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { callTool } from '../../../support/surface-calls.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const RULES = {
  working_rules: 'One task at a time',
  definition_of_done: ['Tested', 'Reviewed'],
  notes: 'Ask Ada about colours',
  model_selected: 'any',
}

/** Calls a tool over MCP and returns the board in its answer and the text of the answer. */
async function fetchGuidance(w: World, actor: Actor, action: string, format = 'concise') {
  const { ticket_number } = w.tasks.logo
  const { project_id } = w.board
  const [tool, input] =
    action === 'context' ? ['svc_tasks', { ticket_number }] : ['svc_projects', { project_id }]
  const response = await callTool(w, actor, tool, { action, input, response_format: format })
  const { structuredContent, content } = response.body.result
  const { data } = structuredContent
  return { board: action === 'context' ? data.board : data, text: content[0].text as string }
}

test('the board manifest and the task context contain the playbook and the instructions', async () => {
  const w = await world()
  const { ada, bot, board } = w
  const { project_id } = board
  await ada['projects.set_playbook']({ project_id, ...RULES })
  await ada['projects.set_instructions']({ project_id, custom_instruction: 'Answer in German' })
  for (const action of ['manifest', 'context'])
    for (const format of ['concise', 'detailed']) {
      const { board } = await fetchGuidance(w, bot, action, format)
      expect([action, board.custom_instruction]).toEqual([action, 'Answer in German'])
      expect(board.playbook).toMatchObject({ ...RULES, version: 2 })
    }
  await ada['projects.set_instructions']({ project_id, custom_instruction: null })
  const { board: plain } = await fetchGuidance(w, bot, 'context')
  expect(plain).not.toHaveProperty('custom_instruction')
})

test('long guidance is truncated in manifest and context, with a pointer to the full text', async () => {
  const w = await world()
  const { ada, bot, board } = w
  const { project_id } = board
  const long = 'Measure twice, cut once. '.repeat(2000)
  await ada['projects.set_playbook']({
    ...{ project_id, working_rules: long, notes: long },
    definition_of_done: Array(100).fill('It was looked at by two people. '.repeat(20)),
  })
  await ada['projects.set_instructions']({
    project_id,
    custom_instruction: `${'a'.repeat(3999)}🚀🚀`,
  })
  for (const action of ['manifest', 'context']) {
    const { board, text } = await fetchGuidance(w, bot, action, 'detailed')
    const { playbook, custom_instruction } = board
    expect(playbook.working_rules).toEndWith('(46,000 more characters: svc_projects get_playbook)')
    expect(playbook.notes.length).toBeLessThan(4100)
    expect(playbook.definition_of_done.at(-1)).toBe('… (94 more: svc_projects get_playbook)')
    expect(custom_instruction).toEndWith('more characters: svc_projects get_instructions)')
    expect(custom_instruction.isWellFormed()).toBe(true)
    expect(countTokens(text)).toBeLessThan(10_000)
  }
  expect((await bot['projects.get_playbook']({ project_id })).working_rules).toBe(long)
})

test('an agent without projects:read gets no guidance in the task context', async () => {
  const w = await world()
  const { ada, board } = w
  const { project_id } = board
  await ada['projects.set_playbook']({ project_id, ...RULES })
  await ada['projects.set_instructions']({ project_id, custom_instruction: 'Answer in German' })
  const limited = await w.addAgent(w.team_id, w.cleo, 'Narrow', ['tasks:read'])
  const { text } = await fetchGuidance(w, limited, 'context', 'detailed')
  expect(JSON.parse(text).data.board).toMatchObject({ playbook: null, custom_instruction: null })
  expect(text).not.toContain('German')
})
