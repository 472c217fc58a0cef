import type { Scene } from './scene.ts'

const RULES = `- One branch for a task, named after its key: \`SR-12-exports\`.
- Take the topmost task of **Next up** that nothing blocks.
- Ask before a change of the API: a decision on the task, with the choices.
`

const DONE = [
  'Tests are green, and one of them fails without the change',
  'Somebody else has read it',
  'The manual says what is different',
]

/** Sets the playbook of the board and a limit for work in progress. */
export async function setPlaybook({ as, board: { project_id, sections } }: Scene): Promise<void> {
  await as.robin('projects.set_playbook', {
    project_id,
    working_rules: RULES,
    definition_of_done: DONE,
    notes: 'Releases go out on Thursdays. Who is on duty stands in the calendar of the team.',
  })
  const { section_id } = sections.find(({ title }) => title === 'In progress')!
  await as.robin('sections.update', { project_id, section_id, wip_limit: 4 })
}
