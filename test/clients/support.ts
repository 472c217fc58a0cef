import { Webhook } from 'standardwebhooks'
import { buildClients } from '../../scripts/clients.ts'
import { initDataFolder, startServer } from '../binary/cork.ts'
import { fetchOpenApi } from '../contract/document.ts'

/** The built clients, and a server of the executable for them. */
export async function openClients() {
  const folder = await buildClients(JSON.parse(await fetchOpenApi()))
  const { data, api_key } = await initDataFolder()
  const { url } = await startServer(data)
  return { folder, options: { url, token: api_key as string, webhook: signedMessage() } }
}

/** A message of a webhook as an agent receives it. */
function signedMessage() {
  const secret = `whsec_${Buffer.from('thirty-two bytes for this secret').toString('base64')}`
  const body = '{"type":"task.assigned","data":{"title":"Grün – 日本"}}'
  const now = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
  }
  return { secret, headers, body }
}
