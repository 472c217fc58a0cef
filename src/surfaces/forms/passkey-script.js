// Lets the sign-in pages use passkeys. Without this script they take a password or a code.

const form = document.querySelector('form[data-passkey]')

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))

const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The options are asked for at each use, because a challenge is valid for minutes only. */
async function readOptions() {
  const response = await fetch(form.action, { headers: { accept: 'application/json' } })
  const { options } = await response.json()
  if (!options) throw new Error('No options')
  const allowed = options.allowCredentials?.map((one) => ({ ...one, id: toBytes(one.id) }))
  return {
    ...options,
    challenge: toBytes(options.challenge),
    ...(allowed && { allowCredentials: allowed }),
  }
}

function submit({ id, response }) {
  const fields = {
    webauthn_id: id,
    client_data: toText(response.clientDataJSON),
    authenticator_data: toText(response.authenticatorData),
    signature: toText(response.signature),
    user_handle: response.userHandle ? toText(response.userHandle) : '',
  }
  for (const [name, value] of Object.entries(fields)) {
    const input = Object.assign(document.createElement('input'), { type: 'hidden', name, value })
    form.append(input)
  }
  form.submit()
}

let current = new AbortController()
let isDialogOpen = false

/** A browser waits for one passkey at a time: in its dialog, or in the list of the email field. */
async function askForPasskey(mediation) {
  current.abort()
  current = new AbortController()
  const { signal } = current
  const publicKey = await readOptions()
  submit(await navigator.credentials.get({ publicKey, signal, ...(mediation && { mediation }) }))
}

/** Shows an error unless the person has only closed the dialog of the browser. */
async function openDialog() {
  isDialogOpen = true
  try {
    await askForPasskey()
  } catch (error) {
    form.querySelector('[role=alert]').hidden = error.name === 'NotAllowedError'
  }
  isDialogOpen = false
}

/** Challenges expire after five minutes, so those of an open page are renewed before. */
const RENEW_MS = 4 * 60 * 1000

async function offerInField() {
  if (!document.querySelector('[autocomplete~=webauthn]')) return
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  const offer = () => isDialogOpen || askForPasskey('conditional').catch(() => {})
  offer()
  setInterval(offer, RENEW_MS)
}

if (form && window.PublicKeyCredential) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void openDialog()
  })
  void offerInField()
}
