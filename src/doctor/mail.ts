import type { Config } from '../config/index.ts'
import { openMail } from '../mail/index.ts'
import { type Finding, ok, warning } from './finding.ts'

const TIMEOUT_MS = 10_000

/** Returns no findings if no mail server is configured, because it is optional. */
export async function checkMail({ smtp, url }: Config): Promise<Finding[]> {
  if (!smtp) return []
  const server = `${smtp.host}, port ${smtp.port}`
  const mail = openMail(smtp, () => url, TIMEOUT_MS)
  try {
    await mail.check()
    return [ok('mail', `${server}, accepts email from this server`)]
  } catch (error) {
    const hint =
      'Check that it is up and reachable from here, or correct CORK_SMTP_URL; emails wait until then'
    return [warning('mail', `${server}: ${(error as Error).message}`, hint)]
  } finally {
    mail.close()
  }
}
