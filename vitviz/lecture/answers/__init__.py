"""What is right: each answer is computed from the view of its step, from the running model, and never typed in."""

from dataclasses import replace

from vitviz.lecture.answers import counted, measured  # they fill the table
from vitviz.lecture.answers.quantity import QUANTITIES, AnswerError, Look, Quantity, Value
from vitviz.lecture.lesson import Question
from vitviz.lecture.payloads import map_payload
from vitviz.messages import Truth

__all__ = ["QUANTITIES", "AnswerError", "Look", "Quantity", "Value", "counted", "measured", "truth"]


def truth(question: Question, look: Look) -> Truth:
    """What is right, as browsers are told it: the keys depend on the kind of the question.

    choose: option · number: value · patch: patch, map, most · pair: pair; and always text, the answer in words.
    Raises `AnswerError` where the model's answer is none of the options or not on the scale.
    """
    meanings = tuple(means for _, means in question.options)
    found = QUANTITIES[question.answer].compute(replace(look, options=meanings))
    match question.kind:
        case "choose":
            if found.value not in meanings:
                raise AnswerError(
                    f"the answer is “{found.value}”, and no option stands for that; there is {', '.join(meanings)}"
                )
            return {"option": meanings.index(found.value), "text": found.text}
        case "number":
            if not question.low <= found.value <= question.high:
                raise AnswerError(
                    f"the answer is {found.value:g}, and the scale goes from {question.low:g} to {question.high:g}"
                )
            return {"value": float(found.value), "text": found.text}
        case "patch":
            return {"patch": int(found.value.argmax()), **map_payload(found.value), "text": found.text}
        case _:
            one, other = sorted(map(int, found.value))
            return {"pair": (one, other), "text": found.text}
