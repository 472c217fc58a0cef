import { type Html, html } from '../html.ts'
import { say } from '../language.ts'
import { alert, type Submitted } from './layout.ts'

/** A button that asks the browser for a passkey. The script shows it if there is support. */
export const passkeyForm = (
  path: string,
  label: string,
  next: string,
  submitted?: Submitted,
): Html =>
  html`${alert('passkey', [], submitted)}
<form method="post" action="${path}" class="passkey" data-passkey hidden>
<p class="alert" role="alert" hidden>${say('pages.passkey_failed')}</p>
<input type="hidden" name="next" value="${next}">
<button class="plain">${label}</button>
</form>`
