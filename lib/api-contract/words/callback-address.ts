/*
 * Messages about callback addresses, each the end of a sentence that begins with the field's name (see fields.ts).
 */

export const isSubscribedAlready = 'is subscribed already'
export const mustBeAnAddress = 'must be an address such as https://example.com/hooks'
export const mustBeginWithHttps = 'must begin with https://'
export const mustBeginWithHttpsNotPlain = 'must begin with https://: what is sent in plain can be read on its way'
export const mustBePubliclyReachable = 'must be publicly reachable: this is an address of a private network'
export const mustNotHoldAFragment = 'must not hold a fragment (#)'
export const mustNotHoldAUserName = 'must not hold a user name or password: others can read it'
export const mustNotHoldSpaces = 'must not hold spaces or invisible characters'
