import axios from 'axios'
import { getCorkboard } from './generated/orval-axios'

const [url = '', token, task = ''] = process.argv.slice(2)
axios.defaults.baseURL = url
axios.defaults.headers.common.authorization = `Bearer ${token}`
const title: string = (await getCorkboard().tasksGet(task)).data.data.title
console.log(title)
