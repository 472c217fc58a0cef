import type { Actor } from './world.ts'

/** A board that people work on, made the way they would make it. */
export async function furnish(ada: Actor, cleo: Actor, team_id: number, called = 'Home page') {
  const made = await ada['projects.create']({
    team_id,
    title: called,
    sections: ['Inbox', 'Next', 'Doing', 'Review', 'Done'].map((title) => ({ title })),
    labels: [{ name: 'bug' }, { name: 'ui' }],
  })
  const { project_id, title, key } = made
  const columns = new Map(made.sections.map((one) => [one.title, one.section_id]))
  const column = (name: string) => columns.get(name)!
  const sections = {
    Inbox: column('Inbox'),
    Next: column('Next'),
    Doing: column('Doing'),
    Review: column('Review'),
    Done: column('Done'),
  }
  const [bug, ui] = made.labels.map(({ label_id }) => label_id) as [number, number]
  const task = async (fields: { title: string; section_id: number } & Record<string, unknown>) => {
    const { task_id, ticket_number } = await ada['tasks.create']({ project_id, ...fields })
    return { task_id, ticket_number }
  }
  const tasks = {
    logo: await task({
      title: 'Draw the logo',
      section_id: sections.Doing,
      description: '<p>In two colours.</p>',
      priority: 'High',
      estimate: 3,
      due_date: '2026-11-27',
      labels: ['ui'],
      assignee_ids: [cleo.caller.actor_id],
    }),
    copy: await task({ title: 'Write the copy', section_id: sections.Next }),
    link: await task({
      title: 'Mend the broken link',
      section_id: sections.Inbox,
      priority: 'Urgent',
      labels: ['bug'],
    }),
    domain: await task({ title: 'Buy the domain', section_id: sections.Done }),
  }
  return { board: { project_id, title, key }, sections, labels: { bug, ui }, tasks }
}

/** What an agent does before it changes a task. */
export const claimed = (agent: Actor, { task_id }: { task_id: number }) =>
  agent['leases.claim']({ task_id })

export type Furniture = Awaited<ReturnType<typeof furnish>>
