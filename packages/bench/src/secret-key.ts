/** Of databases that are filled beside the server: nothing in them was sealed, and the server would miss the key that did it. */
export const SECRET_KEY = 'the master key of a measured database';
