import type { Input } from '../data/client.ts'

type Draft = Input<'projects.create'>

export interface Template {
  name: string
  about: string
  board: Pick<Draft, 'title' | 'sections' | 'labels'>
  /** What it begins with, so that the first look teaches. */
  tasks: NonNullable<Draft['tasks']>
}

const first = 'Connect an agent, and give it this task'

/** Five ways to begin. Each says by its columns how work goes there. */
export const TEMPLATES: readonly Template[] = [
  {
    name: 'Software',
    about: 'Ideas to shipped, with a column for review',
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
        { name: 'bug', color: '#c0392b' },
        { name: 'feature', color: '#2d7d46' },
        { name: 'chore', color: '#7f6b55' },
      ],
    },
    tasks: [
      { title: first, section_title: 'Next', priority: 2 },
      { title: 'Write down what the next release is for', section_title: 'Ideas' },
    ],
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
        { name: 'needs a person', color: '#9a5b00' },
        { name: 'safe to automate', color: '#2d7d46' },
      ],
    },
    tasks: [
      {
        title: first,
        section_title: 'Ready for agents',
        priority: 2,
        labels: ['safe to automate'],
      },
      { title: 'Decide what agents may do alone', section_title: 'To plan' },
    ],
  },
  {
    name: 'Support',
    about: 'Reports come in, are sorted, answered and closed',
    board: {
      title: 'Support',
      sections: [
        { title: 'New', role: 'intake' },
        { title: 'Sorted', role: 'committed' },
        { title: 'Working on it', role: 'building' },
        { title: 'Waiting for an answer', role: 'verify' },
        { title: 'Solved', role: 'done' },
      ],
      labels: [
        { name: 'question', color: '#2f6f9f' },
        { name: 'outage', color: '#c0392b' },
        { name: 'wish', color: '#6b4fa0' },
      ],
    },
    tasks: [{ title: first, section_title: 'Sorted' }],
  },
  {
    name: 'Writing',
    about: 'From a thought to something published',
    board: {
      title: 'Writing',
      sections: [
        { title: 'Thoughts', role: 'intake' },
        { title: 'Outlined', role: 'committed' },
        { title: 'Drafting', role: 'building' },
        { title: 'Editing', role: 'verify' },
        { title: 'Published', role: 'done' },
      ],
      labels: [
        { name: 'article', color: '#935a26' },
        { name: 'notes', color: '#2f6f77' },
      ],
    },
    tasks: [{ title: 'Collect three thoughts worth writing about', section_title: 'Thoughts' }],
  },
  {
    name: 'Personal',
    about: 'Three columns for everything else',
    board: {
      title: 'Personal',
      sections: [
        { title: 'Some day', role: 'intake' },
        { title: 'This week', role: 'committed' },
        { title: 'Done', role: 'done' },
      ],
      labels: [
        { name: 'home', color: '#2d7d46' },
        { name: 'errand', color: '#2f6f9f' },
      ],
    },
    tasks: [{ title: 'Plan the week', section_title: 'This week' }],
  },
]
