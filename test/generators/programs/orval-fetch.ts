import { tasksGet } from './generated/orval-fetch'

const [url = '', token, task = ''] = process.argv.slice(2)
const send = globalThis.fetch
globalThis.fetch = ((path: string, init?: RequestInit) => send(`${url}${path}`, init)) as never
const answer = await tasksGet(task, undefined, { headers: { authorization: `Bearer ${token}` } })
const title: string | undefined = answer.status === 200 ? answer.data.data.title : undefined
console.log(title)
