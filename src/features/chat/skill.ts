import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { nearest } from '../../kernel/validate.ts'
import { enabledSkills, noteSkillUse, skillFor } from '../skills/index.ts'
import { called, slugIn } from './rules.ts'
import type { KeptWords } from './schema.ts'

/** What a person says, with the skill that it calls as what the model reads. */
export async function saidWith(
  ctx: Context,
  project_id: number | undefined,
  text: string,
): Promise<KeptWords> {
  const call = slugIn(text)
  if (!call) return { type: 'text', text }
  const skill = await skillFor(ctx, project_id, call.slug)
  if (!skill) throw await unknown(ctx, project_id, call.slug)
  await noteSkillUse(ctx.tx, [skill], ctx.now)
  const read = `Follow the skill /${skill.slug} (${skill.name}):\n\n${called(skill.body, call.rest)}`
  return { type: 'text', text, read }
}

async function unknown(ctx: Context, project_id: number | undefined, slug: string) {
  const slugs = (await enabledSkills(ctx, project_id)).map((one) => one.slug)
  const near = nearest(slug, slugs)
  const some = slugs.slice(0, 10).map((one) => `/${one}`)
  const hint = near
    ? `Did you mean /${near}?`
    : some.length
      ? `There is ${some.join(', ')}`
      : 'There are none yet: POST /api/v1/skills; to say something that begins with a slash, put a word before it'
  return fault.invalid('message', 'not_found', `There is no skill /${slug} here`, slug, hint)
}
