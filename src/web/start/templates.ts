import type { Input } from '../data/client.ts'
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
  title: 'Carry this card to the next column',
  section_title,
  priority: 3,
  ...text(`Take it with the pointer or a finger, or choose it with \`j\` and \`k\` and press
\`Shift\` with an arrow key. What went wrong is undone from the message below, or with
\`Ctrl Z\` (\`⌘ Z\`).

- \`Enter\` opens a card, \`c\` makes a new one, \`x\` chooses several
- \`?\` shows all keys, \`Ctrl K\` (\`⌘ K\`) finds every task, board and action`),
})

const connectTask = (section_title: string, labels: string[] = []): TemplateTask => ({
  title: 'Connect an agent and give it this task',
  section_title,
  // Urgent, so that an agent that asks for the next task gets this one.
  priority: 1,
  labels,
  ...text(`Press **+** beside *Agents* in the side bar, give the agent a name and copy what your
program needs. Then tell it:

> Claim this task, leave a comment that says what you can see of the board, and finish it.

You see it at work as it happens: the card shows who holds it.`),
})

/** Five templates. Their columns show how work flows. */
export const TEMPLATES: readonly Template[] = [
  {
    name: 'Software project',
    about: 'From ideas to shipped, with a review before anything is done',
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
        ...text('One sentence for whoever uses it, and three things that it must not break.'),
      },
    ],
    playbook: {
      working_rules: `${AGENTS}
- One task is one change: a branch and a pull request, linked on the task.
- Move the card to Review when it is ready; a person moves it to Shipped.`,
      definition_of_done: [
        'The tests pass, and there is one that failed before',
        'A comment says what was changed and how it was checked',
        'Docs that the change makes wrong are mended',
      ],
    },
  },
  {
    name: 'Bug tracker',
    about: 'Reports come in, are confirmed, mended and proven',
    board: {
      title: 'Bugs',
      sections: [
        { title: 'Reported', role: 'intake' },
        { title: 'Confirmed', role: 'committed' },
        { title: 'Being mended', role: 'building' },
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
        title: 'Example: the export ends after 30 seconds',
        section_title: 'Reported',
        priority: 2,
        labels: ['crash'],
        ...text(`**What was done**

1. Open a board with 20,000 tasks
2. Export it

**What happened:** the download ends after 30 seconds.
**What should have happened:** the whole file arrives.`),
      },
      moveTask('Confirmed'),
      connectTask('Confirmed'),
    ],
    playbook: {
      working_rules: `${AGENTS}
- Reproduce first, and write down how. What cannot be reproduced gets that label and a question.
- Look for the cause, not for the place where it shows.`,
      definition_of_done: [
        'A test fails without the change and passes with it',
        'A comment names the cause in one sentence',
      ],
    },
  },
  {
    name: 'Content calendar',
    about: 'From a thought to something published, by its date',
    board: {
      title: 'Content',
      sections: [
        { title: 'Thoughts', role: 'intake' },
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
        ...text(`**For whom:** people who tried us once.
**One thing they should remember:** …

Set *Repeats* to monthly, and the next one is there when this one is published.`),
      },
      { ...moveTask('Drafting'), due_in: 2 },
      connectTask('Planned', ['article']),
    ],
    playbook: {
      working_rules: `${AGENTS}
- Write drafts as a page of the task, not as a comment, so that they keep their versions.
- Name the source of every number. Publish nothing: a person does.`,
      definition_of_done: ['A person has read it', 'The task links to where it was published'],
    },
  },
  {
    name: 'Personal week',
    about: 'What you do this week, and what can wait',
    board: {
      title: 'My week',
      sections: [
        { title: 'Some day', role: 'intake' },
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
        ...text(`Open it and set *Repeats* to weekly. **My Tasks** (\`g\` then \`m\`) shows what is yours
from every board by when it is due; \`s\` snoozes what can wait.`),
      },
      { title: 'Learn to make good bread', section_title: 'Some day', labels: ['home'] },
    ],
    playbook: { working_rules: ADVICE },
  },
  {
    name: 'Agents at work',
    about: 'People plan and check, agents claim and build',
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
        ...text(`What they read first is the playbook of this board. It says that they take only what is
in *Ready for agents*, ask instead of guessing, and leave checking to people. Change it to your
rules: \`cork projects set-playbook\`, or ask an agent to.`),
      },
    ],
    playbook: {
      working_rules: `${AGENTS}
- Take only what is in Ready for agents, and nothing that is labelled "needs a person".
- Say in a comment what you are about to do before you do it.
- Move the card to People check when you are done. Do not move it to Done.`,
      definition_of_done: [
        'A comment says what was done, what was not, and how it was checked',
        'What a person has to decide stands in a decision request',
      ],
    },
  },
]
