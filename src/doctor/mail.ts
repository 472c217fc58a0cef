import type { Config } from '../config.ts'
import { openMail } from '../mail/index.ts'
import { type Finding, ok, warning } from './finding.ts'

const PATIENCE_MS = 10_000

/** Nothing where no mail server is named: everything else works without. */
export async function checkMail({ smtp, url }: Config): Promise<Finding[]> {
  if (!smtp) return []
  const where = `${smtp.host}, port ${smtp.port}`
  const mail = openMail(smtp, () => url, PATIENCE_MS)
  try {
    await mail.check()
    return [ok('mail', `${where}, would take mail from this server`)]
  } catch (error) {
    const hint =
      'See that it is up and can be reached from here, or correct CORK_SMTP_URL; what is to be mailed waits until then'
    return [warning('mail', `${where}: ${(error as Error).message}`, hint)]
  } finally {
    mail.close()
  }
}
