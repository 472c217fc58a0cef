const RULES: Readonly<Record<string, RegExp>> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,2}$/,
  BYDAY: /^([+-]?\d)?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?\d)?(MO|TU|WE|TH|FR|SA|SU))*$/,
  BYMONTHDAY: /^(-1|[12]?\d|3[01])(,(-1|[12]?\d|3[01]))*$/,
  BYMONTH: /^(\d|1[0-2])(,(\d|1[0-2]))*$/,
  UNTIL: /^\d{8}$/,
  COUNT: /^[1-9]\d{0,3}$/,
}

/** The rule in a text of RFC 5545, if it has only parts that Corkboard knows. */
export function ruleOf(text: string): string | undefined {
  const rule = /FREQ=[A-Z0-9;=,+-]*/.exec(text)?.[0]
  if (!rule) return undefined
  const parts = rule.split(';').filter((part) => part && !part.startsWith('WKST='))
  const known = parts.map((part) => part.replace(/^(UNTIL=\d{8}).*$/, '$1')).filter(isKnown)
  return known.length === parts.length ? known.join(';') : undefined
}

function isKnown(part: string): boolean {
  const [name = '', value = ''] = part.split('=')
  return RULES[name]?.test(value) ?? false
}
