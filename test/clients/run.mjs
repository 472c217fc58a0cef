/** Runs the walk with the client in the folder of the first argument. */
import { pathToFileURL } from 'node:url'
import { walk } from './walk.mjs'

const [folder, options] = process.argv.slice(2)
const client = await import(pathToFileURL(`${folder}/index.js`).href)
console.log(JSON.stringify(await walk(client, JSON.parse(options))))
process.exit()
