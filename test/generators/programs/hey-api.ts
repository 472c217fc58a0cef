import { client } from './generated/hey-api/client.gen'
import { tasksGet } from './generated/hey-api/sdk.gen'

const [url = '', token, task = ''] = process.argv.slice(2)
client.setConfig({ baseUrl: url, auth: token })
const { data } = await tasksGet({ path: { task } })
const title: string | undefined = data?.data.title
console.log(title)
