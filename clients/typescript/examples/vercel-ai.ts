/** Gives a model of the Vercel AI SDK three tools, with which it works through a board. */
import type { Client } from '@corkboard/client'
import { generateText, isStepCount, jsonSchema, type LanguageModel, tool } from 'ai'

const ofTask = <Fields extends Record<string, unknown>>(fields: Fields, required: string[] = []) =>
  ({
    type: 'object',
    properties: { task: { type: 'string', description: 'Key, as in HOM-12' }, ...fields },
    required: ['task', ...required],
    additionalProperties: false,
  }) as const

export const boardTools = (client: Client, project_id: number) => ({
  list_tasks: tool({
    description: 'The open tasks of the board',
    inputSchema: jsonSchema<Record<string, never>>({ type: 'object', properties: {} }),
    execute: async () => {
      const { items } = await client.tasks.list({ project_id, limit: 20 })
      return items
        .filter(({ done }) => !done)
        .map(({ ticket_number, title }) => ({ ticket_number, title }))
    },
  }),
  read_task: tool({
    description: 'A task with its description',
    inputSchema: jsonSchema<{ task: string }>(ofTask({})),
    execute: ({ task }) => client.tasks.get({ task, format: 'markdown' }),
  }),
  comment: tool({
    description: 'Write a comment on a task',
    inputSchema: jsonSchema<{ task: string; text: string }>(
      ofTask({ text: { type: 'string' } }, ['text']),
    ),
    execute: ({ task, text }) => client.comments.add({ task, text, content_type: 'markdown' }),
  }),
})

/** Asks a model to comment on the most urgent task, and returns what it says. */
export async function triage(client: Client, project_id: number, model: LanguageModel) {
  const { text } = await generateText({
    model,
    tools: boardTools(client, project_id),
    stopWhen: isStepCount(8),
    prompt: 'Find the most urgent open task, and comment on it what to do first.',
  })
  return text
}
