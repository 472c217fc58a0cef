import type { Config } from '../config/index.ts'
import type { Clock } from '../kernel/caller.ts'
import type { IssuerSettings } from '../kernel/issuers.ts'
import { IssuerClient, IssuerProblem } from '../oidc/index.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const CHECK = 'sign-in'
/** Tokens are refused if the clocks differ by more than a minute. */
const MAX_CLOCK_DIFFERENCE_S = 30

/** Returns no findings if no OpenID Connect issuer is configured, because they are optional. */
export async function checkIssuers(
  { issuers, url, host, port, oidcOnly }: Config,
  clock: Clock,
): Promise<Finding[]> {
  const baseUrl = url || `http://${host}:${port}`
  const findings: Finding[] = []
  for (const settings of issuers) {
    const client = new IssuerClient(settings, () => baseUrl, clock)
    findings.push(...(await checkIssuer(client, { oidcOnly, clock })))
  }
  return findings
}

interface Parts {
  oidcOnly: boolean
  clock: Clock
}

async function checkIssuer(client: IssuerClient, parts: Parts): Promise<Finding[]> {
  const { settings, redirectUri } = client
  const { name, issuer, newPeople, roles } = settings
  const prefix = settings.number === 1 ? 'CORK_OIDC_' : `CORK_OIDC_${settings.number}_`
  try {
    const { date } = await client.check()
    return [
      ok(CHECK, `${name}, ${issuer}; allow the redirect URI ${redirectUri} there`),
      ...clockFindings(settings, date, parts.clock()),
      ...(newPeople.groups && !roles.length ? [noRoles(name, prefix)] : []),
    ]
  } catch (error) {
    if (!(error instanceof IssuerProblem)) throw error
    const isOnly = parts.oidcOnly ? 'nobody can sign in' : 'nobody can sign in through it'
    const hint = `Until it is up, or ${prefix}ISSUER is correct, ${isOnly}. Sessions keep working`
    return [problem(CHECK, error.operatorMessage, hint)]
  }
}

function clockFindings({ name }: IssuerSettings, date: Date | undefined, now: Date): Finding[] {
  if (!date) return []
  const seconds = Math.round((now.getTime() - date.getTime()) / 1000)
  if (Math.abs(seconds) <= MAX_CLOCK_DIFFERENCE_S) return []
  const says = `the clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of ${name}`
  return [problem(CHECK, says, 'Synchronize both with NTP; otherwise sign-ins are refused')]
}

const noRoles = (name: string, prefix: string): Finding =>
  warning(
    CHECK,
    `${prefix}NEW_PEOPLE lets people in by group, but ${prefix}ROLES is empty`,
    `Set ${prefix}ROLES, or nobody new can sign in through ${name}`,
  )
