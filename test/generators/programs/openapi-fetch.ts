import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi-typescript'

const [url = '', token, task = ''] = process.argv.slice(2)
const client = createClient<paths>({
  baseUrl: url,
  headers: { authorization: `Bearer ${token}` },
})
const { data } = await client.GET('/api/v1/tasks/{task}', { params: { path: { task } } })
const title: string | undefined = data?.data.title
console.log(title)
