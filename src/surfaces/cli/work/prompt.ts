import type { Client } from '../client.ts'
import type { Worktree } from './repository.ts'

interface Context {
  task: { title: string }
  board: {
    key: string
    title: string
    playbook: { working_rules: string | null; definition_of_done: string[] } | null
    custom_instruction: string | null
  }
  blocked_by: { ticket_number: string; title: string }[]
  decision_requests: { question: string; options: string[] }[]
}

interface Comment {
  author: { name: string }
  text: string
}

/** What the command reads on its standard input: the task and how to work on it. */
export async function promptFor(
  client: Client,
  ticket_number: string,
  { branch }: Worktree,
): Promise<string> {
  const read = async (path: string, query = new URLSearchParams()) =>
    (await client.send({ method: 'GET', path: `/api/v1/tasks/${ticket_number}${path}`, query }))
      .data
  const asMarkdown = new URLSearchParams({ format: 'markdown' })
  const { task, board, ...context } = (await read('/context')) as Context
  const { description } = (await read('', asMarkdown)) as { description: string | null }
  const comments = (await read('/comments', asMarkdown)) as Comment[]
  const { working_rules, definition_of_done } = board.playbook ?? {}
  const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n')
  const sections: [string, string | null | undefined][] = [
    ['Description', description],
    ['Rules of the board', working_rules],
    ['Instructions of the board', board.custom_instruction],
    ['Done means', definition_of_done && list(definition_of_done)],
    ['Blocked by', list(context.blocked_by.map((one) => `${one.ticket_number} ${one.title}`))],
    ['Open questions', list(context.decision_requests.map(({ question }) => question))],
    ['Comments', comments.map(({ author, text }) => `**${author.name}:** ${text}`).join('\n\n')],
  ]
  return [
    `# ${ticket_number}: ${task.title}`,
    `Work on this task of the board ${board.title} (${board.key}). You are in a git worktree of your own, on the branch ${branch}. Commit your work there, do not push. The end of your output becomes the note for the person who takes over.`,
    ...sections.flatMap(([title, text]) => (text ? [`## ${title}`, text] : [])),
    '',
  ].join('\n\n')
}
