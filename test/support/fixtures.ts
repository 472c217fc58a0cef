import type { Actor } from './world.ts'

/** Creates a board with columns, labels and four tasks through the API's operations. */
export async function createFixtures(
  ada: Actor,
  cleo: Actor,
  team_id: number,
  { boardTitle = 'Home page', due_date = '2026-11-27' } = {},
) {
  const project = await ada['projects.create']({
    team_id,
    title: boardTitle,
    sections: ['Inbox', 'Next', 'Doing', 'Review', 'Done'].map((title) => ({ title })),
    labels: [{ name: 'bug' }, { name: 'ui' }],
  })
  const { project_id, title, key } = project
  const sectionIds = new Map(project.sections.map((one) => [one.title, one.section_id]))
  const sectionId = (name: string) => sectionIds.get(name)!
  const sections = {
    Inbox: sectionId('Inbox'),
    Next: sectionId('Next'),
    Doing: sectionId('Doing'),
    Review: sectionId('Review'),
    Done: sectionId('Done'),
  }
  const [bug, ui] = project.labels.map(({ label_id }) => label_id) as [number, number]
  const createTask = async (
    fields: { title: string; section_id: number } & Record<string, unknown>,
  ) => {
    const { task_id, ticket_number } = await ada['tasks.create']({ project_id, ...fields })
    return { task_id, ticket_number }
  }
  const tasks = {
    logo: await createTask({
      title: 'Draw the logo',
      section_id: sections.Doing,
      description: '<p>In two colours.</p>',
      priority: 'High',
      estimate: 3,
      due_date,
      labels: ['ui'],
      assignee_ids: [cleo.caller.actor_id],
    }),
    copy: await createTask({ title: 'Write the copy', section_id: sections.Next }),
    link: await createTask({
      title: 'Mend the broken link',
      section_id: sections.Inbox,
      priority: 'Urgent',
      labels: ['bug'],
    }),
    domain: await createTask({ title: 'Buy the domain', section_id: sections.Done }),
  }
  return { board: { project_id, title, key }, sections, labels: { bug, ui }, tasks }
}

/** An agent must hold a lease of a task to change it. */
export const claimTask = (agent: Actor, { task_id }: { task_id: number }) =>
  agent['leases.claim']({ task_id })

export type Fixtures = Awaited<ReturnType<typeof createFixtures>>
