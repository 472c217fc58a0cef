import type { Tx } from '../../../../kernel/caller.ts'
import { queueNotice } from '../../account_emails/model/index.ts'
import { parseSessionName, sessionName } from './browsers.ts'
import { readDeviceCookie } from './devices.ts'
import type { AccountServices } from './services.ts'
import type { Session } from './sessions.ts'
import type { ClientInfo } from './signin.ts'

/** Emails a person who signed in with a browser that they have not used before. */
export async function noticeNewDevice(
  { server, key }: AccountServices,
  tx: Tx,
  { user_id, isFirst }: Session,
  client: ClientInfo,
  now: Date,
): Promise<void> {
  if (isFirst || !server.mail.available) return
  if (readDeviceCookie(key, client.cookies)?.people.includes(user_id)) return
  const { browser, address } = parseSessionName(sessionName(client.browser, client.address))
  const data = { browser, address: address ?? '' }
  await queueNotice(tx, user_id, { kind: 'new device', data }, now)
}
