import type { OperationDescription } from '../../kernel/operation.ts'
import { Client } from './client.ts'
import type { Command } from './command.ts'
import type { CommandIO } from './io.ts'
import { jsonOf } from './operation-command.ts'
import { requestFor } from './request.ts'

/** Opens a task in the browser, by any key that finds it. */
export const open = (catalog: readonly OperationDescription[], io: CommandIO): Command => ({
  summary: 'Open a task in the web app',
  about:
    'The task may be named by its key, or by the key that it had on another board or in the product it was imported from. Without a browser, only the address is printed.',
  example: 'cork open HOM-1',
  args: [{ name: 'task', about: 'Key or number of the task', required: true }],
  flags: {},
  async run({ task, json }) {
    const get = catalog.find(({ name }) => name === 'tasks.get')!
    const response = await new Client(io).send(requestFor(get, { task }))
    const { ticket_number, url } = response.data as { ticket_number: string; url: string }
    if (json !== undefined) io.out(jsonOf({ ticket_number, url }, io))
    else {
      io.out(url)
      await io.browse(url)
    }
    return 0
  },
})
