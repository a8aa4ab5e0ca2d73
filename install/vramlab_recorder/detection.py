"""Which proposals of torchvision's detectors become samples: by untrained networks' scores, which decide how much the heads compute."""
import torch

from .common import _plainly
from .libraries import _when_there

# How many of an image's anchors overlap each of its boxes by half, where an untrained network leaves them where they are (docs/plan.md).
ANCHORS_OF_A_BOX = 54


def _detect(follow, p):
    """Which proposals are samples of boxes in torchvision's detectors: the boxes themselves, which are proposed, too, and as many as even draws from the anchors leave."""
    def proposing(network):
        plain = network.filter_proposals

        def call(self, proposals, objectness, shapes, anchors_of_levels):
            boxes, scores = plain(self, proposals, objectness, shapes, anchors_of_levels)
            for each in boxes:
                each._vramlab_anchors = sum(anchors_of_levels)
            return boxes, scores

        p.set(network, "filter_proposals", call)
        return network

    def sampling(heads):
        plain, assign = heads.select_training_samples, heads.assign_targets_to_proposals
        wanted = []

        def first(labels, positive):
            labels._vramlab_value = _plainly(lambda: (torch.arange(labels.numel()) < positive).to(labels.dtype))

        def assigning(self, *given):                           # so that the sampler draws the others from what is of no box
            matched, found = assign(self, *given)
            for labels, positive in zip(found, wanted):
                first(labels, positive)
            return matched, found

        def call(self, proposals, targets):
            shares = [len(each) / each._vramlab_anchors if getattr(each, "_vramlab_anchors", 0) else 0 for each in proposals]
            wanted[:] = [round(len(target["boxes"]) * (1 + ANCHORS_OF_A_BOX * share)) for target, share in zip(targets, shares)]
            found = plain(self, proposals, targets)
            most = int(self.fg_bg_sampler.batch_size_per_image * self.fg_bg_sampler.positive_fraction)
            for labels, target, expected in zip(found[2], targets, wanted):
                positive = min(most, labels.numel(), expected)
                first(labels, positive)
                follow.note(f"how many proposals are samples of boxes is not known without a GPU; taken as {positive} of {len(target['boxes'])} boxes")
            return found

        p.set(heads, "assign_targets_to_proposals", assigning)
        p.set(heads, "select_training_samples", call)
        return heads

    _when_there(p, "torchvision.models.detection.rpn", "RegionProposalNetwork", proposing)
    _when_there(p, "torchvision.models.detection.roi_heads", "RoIHeads", sampling)
