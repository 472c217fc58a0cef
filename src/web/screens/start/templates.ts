import type { Input } from '../../data/client.ts'
import { ADVICE, AGENTS } from './playbooks.ts'

type Draft = Input<'projects.create'>

export interface Template {
  name: string
  about: string
  board: Pick<Draft, 'title' | 'sections' | 'labels'>
  /** The first tasks, which explain the board. */
  tasks: readonly TemplateTask[]
  /** The rules for agents on the board. */
  playbook: Omit<Input<'projects.set_playbook'>, 'project_id'>
}

/** `due_in` is the number of days until the due date, counted from the creation of the board. */
export type TemplateTask = NonNullable<Draft['tasks']>[number] & { due_in?: number }

const text = (description: string) => ({ description, content_type: 'markdown' as const })

const moveTask = (section_title: string): TemplateTask => ({
  title: 'Move this card to the next column',
  section_title,
  priority: 3,
  ...text(`Drag it with the mouse or a finger, or go to it with \`j\` and \`k\` and press \`Shift\`
with an arrow key. To undo a change, click **Undo** in the message at the bottom or press
\`Ctrl Z\` (\`⌘ Z\`).

- \`Enter\` opens a card, \`c\` creates one, \`x\` selects several
- \`?\` shows all keyboard shortcuts, \`Ctrl K\` (\`⌘ K\`) finds every task, board and action`),
})

const connectTask = (section_title: string, labels: string[] = []): TemplateTask => ({
  title: 'Connect an agent and give it this task',
  section_title,
  // Urgent, so that an agent that asks for the next task gets this one.
  priority: 1,
  labels,
  ...text(`Click **+** next to *Agents* in the sidebar, name the agent and copy the configuration
for your client. Then tell it:

> Claim this task, comment on what you can see of the board, and complete the task.

You can follow its work live: the card shows which agent is working on it.`),
})

/** Five templates. Their columns show how work flows. */
export const TEMPLATES: readonly Template[] = [
  {
    name: 'Software project',
    about: 'From idea to release, with a review before anything is done',
    board: {
      title: 'Product',
      sections: [
        { title: 'Ideas', role: 'intake' },
        { title: 'Next', role: 'committed' },
        { title: 'In progress', role: 'building' },
        { title: 'Review', role: 'verify' },
        { title: 'Shipped', role: 'done' },
      ],
      labels: [
        { name: 'feature', color: '#2d7d46' },
        { name: 'bug', color: '#c0392b' },
        { name: 'chore', color: '#7f6b55' },
        { name: 'docs', color: '#2f6f9f' },
      ],
    },
    tasks: [
      moveTask('In progress'),
      connectTask('Next', ['chore']),
      {
        title: 'Write down what the next release is for',
        section_title: 'Ideas',
        labels: ['feature'],
        ...text('One sentence for its users, and three things that it must not break.'),
      },
    ],
    playbook: {
      working_rules: `${AGENTS}
- One task is one change: a branch and a pull request, linked on the task.
- Move the card to Review when it is ready; a person moves it to Shipped.`,
      definition_of_done: [
        'The tests pass, including one that failed before',
        'A comment says what was changed and how it was tested',
        'Docs affected by the change are updated',
      ],
    },
  },
  {
    name: 'Bug tracker',
    about: 'Confirm, fix and verify bug reports',
    board: {
      title: 'Bugs',
      sections: [
        { title: 'Reported', role: 'intake' },
        { title: 'Confirmed', role: 'committed' },
        { title: 'Fixing', role: 'building' },
        { title: 'To verify', role: 'verify' },
        { title: 'Closed', role: 'done' },
      ],
      labels: [
        { name: 'data loss', color: '#c0392b' },
        { name: 'crash', color: '#b3541e' },
        { name: 'looks wrong', color: '#6b4fa0' },
        { name: 'cannot reproduce', color: '#7f6b55' },
      ],
    },
    tasks: [
      {
        title: 'Example: the export stops after 30 seconds',
        section_title: 'Reported',
        priority: 2,
        labels: ['crash'],
        ...text(`**Steps to reproduce**

1. Open a board with 20,000 tasks
2. Export it

**Actual result:** the download stops after 30 seconds.
**Expected result:** the whole file is downloaded.`),
      },
      moveTask('Confirmed'),
      connectTask('Confirmed'),
    ],
    playbook: {
      working_rules: `${AGENTS}
- Reproduce the bug first and write down how. If you cannot, label it "cannot reproduce" and ask.
- Fix the cause, not the symptom.`,
      definition_of_done: [
        'A test fails without the change and passes with it',
        'A comment names the cause in one sentence',
      ],
    },
  },
  {
    name: 'Content calendar',
    about: 'From idea to publication, on schedule',
    board: {
      title: 'Content',
      sections: [
        { title: 'Ideas', role: 'intake' },
        { title: 'Planned', role: 'committed' },
        { title: 'Drafting', role: 'building' },
        { title: 'Editing', role: 'verify' },
        { title: 'Published', role: 'done' },
      ],
      labels: [
        { name: 'article', color: '#935a26' },
        { name: 'newsletter', color: '#2f6f77' },
        { name: 'social', color: '#6b4fa0' },
        { name: 'video', color: '#c0392b' },
      ],
    },
    tasks: [
      {
        title: 'Example: what we learned this month',
        section_title: 'Planned',
        priority: 3,
        due_in: 14,
        labels: ['newsletter'],
        ...text(`**Audience:** people who tried us once.
**Key message:** …

Set *Repeats* to monthly to create the next one when this one is published.`),
      },
      { ...moveTask('Drafting'), due_in: 2 },
      connectTask('Planned', ['article']),
    ],
    playbook: {
      working_rules: `${AGENTS}
- Write drafts as a page of the task, not as a comment: pages keep their versions.
- Name the source of every number. Do not publish anything: a person does that.`,
      definition_of_done: ['A person has reviewed it', 'The task links to the published version'],
    },
  },
  {
    name: 'Personal week',
    about: 'What you do this week, and what can wait',
    board: {
      title: 'My week',
      sections: [
        { title: 'Someday', role: 'intake' },
        { title: 'This week', role: 'committed' },
        { title: 'Today', role: 'building' },
        { title: 'Done', role: 'done' },
      ],
      labels: [
        { name: 'home', color: '#2d7d46' },
        { name: 'work', color: '#2f6f9f' },
        { name: 'errand', color: '#b3541e' },
      ],
    },
    tasks: [
      moveTask('Today'),
      {
        title: 'Plan the week',
        section_title: 'This week',
        due_in: 7,
        labels: ['home'],
        ...text(`Open this task and set *Repeats* to weekly. **My Tasks** (\`g\` then \`m\`) lists your
tasks from every board by due date. \`s\` snoozes a task.`),
      },
      { title: 'Learn to make good bread', section_title: 'Someday', labels: ['home'] },
    ],
    playbook: { working_rules: ADVICE },
  },
  {
    name: 'Agents at work',
    about: 'People plan and review, agents claim and build',
    board: {
      title: 'Agents at work',
      sections: [
        { title: 'To plan', role: 'intake' },
        { title: 'Ready for agents', role: 'committed' },
        { title: 'Agents building', role: 'building' },
        { title: 'People check', role: 'verify' },
        { title: 'Done', role: 'done' },
      ],
      labels: [
        { name: 'safe to automate', color: '#2d7d46' },
        { name: 'needs a person', color: '#9a5b00' },
        { name: 'research', color: '#2f6f9f' },
      ],
    },
    tasks: [
      connectTask('Ready for agents', ['safe to automate']),
      moveTask('To plan'),
      {
        title: 'Decide what agents may do alone',
        section_title: 'People check',
        labels: ['needs a person'],
        ...text(`Agents read the playbook of this board first. It tells them to claim only tasks in
*Ready for agents*, to ask instead of guessing, and to leave reviews to people. Change it to your
own rules with \`cork projects set-playbook\`, or ask an agent to.`),
      },
    ],
    playbook: {
      working_rules: `${AGENTS}
- Claim only tasks in Ready for agents, and none with the label "needs a person".
- Before you start, comment on what you are going to do.
- Move the card to People check when you are done. Do not move it to Done.`,
      definition_of_done: [
        'A comment says what was done, what was left out, and how it was tested',
        'Everything a person has to decide is in a decision request',
      ],
    },
  },
]
